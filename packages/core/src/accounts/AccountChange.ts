/** What followers of an account hear: which thing changed, and its new state. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId } from "../shared/Ids.ts"

export const ChangedKind = Schema.Literals([
  "execution",
  "delivery",
  "key",
  "agent",
  "task",
  "replay",
  "audit",
  "schedule"
])
export type ChangedKind = typeof ChangedKind.Type

export interface AccountChange {
  readonly accountId: AccountId
  readonly kind: ChangedKind
  /** The thing; null: some of this kind, so anyone who shows any of them fetches them again. */
  readonly thing: ChangedThing | null
}

export interface ChangedThing {
  readonly id: string
  /** The state in the words of the thing's own record. Null if it has none. */
  readonly state: string | null
  /** Whether this is the first change of the thing. */
  readonly isNew: boolean
}

/** A change as one word, in which signals carry it. */
export type ChangeWord = `changed:${AccountId}:${string}`

export const wordOf = ({ accountId, kind, thing }: AccountChange): ChangeWord =>
  thing === null
    ? `changed:${accountId}:${kind}`
    : `changed:${accountId}:${kind}:${thing.id}:${thing.state ?? ""}:${thing.isNew ? "new" : "known"}`

/** Says that some of each kind may have changed. */
export const anyOf = (accountId: AccountId): ReadonlyArray<AccountChange> =>
  ChangedKind.literals.map((kind) => ({ accountId, kind, thing: null }))

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const form = new RegExp(`^changed:(${uuid}):([a-z]+)(?::(${uuid}):([a-z_]*):(new|known))?$`)

const decodeKind = Schema.decodeUnknownOption(ChangedKind)

/** Whether a word from anywhere is one of these. */
export const isChangeWord = (word: string): word is ChangeWord => form.test(word)

/** The id of the account in a word. */
export const accountIn = (word: ChangeWord): string => word.slice(8, 44)

/** The same word, without the thing. */
export const kindOnly = (word: ChangeWord): ChangeWord =>
  `changed:${AccountId.make(accountIn(word))}:${word.slice(45).split(":", 1)[0]}`

/**
 * The change in a word; undefined if it comes from another version, which knows
 * kinds that this one does not.
 */
export const changeIn = (word: ChangeWord): AccountChange | undefined => {
  const [, , named, id, state, age] = form.exec(word) ?? []
  const kind = Option.getOrUndefined(decodeKind(named))
  if (kind === undefined) return undefined
  const thing = id === undefined ? null : { id, state: state || null, isNew: age === "new" }
  return { accountId: AccountId.make(accountIn(word)), kind, thing }
}
