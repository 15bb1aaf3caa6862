/** What the account's stream of changes tells. */

export type LiveKind = "execution" | "delivery" | "key" | "agent" | "task" | "replay" | "audit"

export interface Change {
  readonly kind: LiveKind
  readonly id: string
  readonly state?: string | null
  readonly is_new?: boolean
}

export type Told =
  | { readonly _tag: "Change"; readonly change: Change }
  /** Too many at once, or a position that is unknown: what is shown is to be fetched anew. */
  | { readonly _tag: "Anew"; readonly kinds: ReadonlyArray<LiveKind> | undefined }
