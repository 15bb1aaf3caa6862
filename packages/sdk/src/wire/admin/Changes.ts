/** What changes in an account, as it is told while it happens. */

export type ChangedKind = "execution" | "delivery" | "key" | "agent" | "task" | "replay" | "audit"

/** A thing changed: fetch it, if you show it. */
export interface ThingChanged {
  readonly event: "change"
  readonly kind: ChangedKind
  readonly id: string
  /** The word that its own record has for how it stands; null where there is none. */
  readonly state: string | null
  readonly is_new: boolean
}

/** Some things of these kinds changed, too many to name: fetch what you show of them. */
export interface ManyChanged {
  readonly event: "many"
  readonly kinds: ReadonlyArray<ChangedKind>
}

/** Changes were missed: fetch all that you show. */
export interface ChangesMissed {
  readonly event: "reset"
}

export type AccountChange = ThingChanged | ManyChanged | ChangesMissed
