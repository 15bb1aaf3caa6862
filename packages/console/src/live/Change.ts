/** What the account's stream of changes reports. */

export type LiveKind = "execution" | "delivery" | "key" | "agent" | "task" | "replay" | "audit" | "schedule"

export interface Change {
  readonly kind: LiveKind
  readonly id: string
  readonly state?: string | null
  readonly is_new?: boolean
}

export type LiveUpdate =
  | { readonly _tag: "Change"; readonly change: Change }
  /** Too many changes at once, or an unknown position: views fetch everything again. */
  | { readonly _tag: "Anew"; readonly kinds: ReadonlyArray<LiveKind> | undefined }
