/** What needs the user's attention, the worst first. Pure functions. */
import type { Agent, Execution, Key, Receiver } from "@runhook/sdk/admin"
import { failureWords } from "../receivers/ReceiverWords.ts"

export type Need =
  | { readonly _tag: "Receiver"; readonly receiver: Receiver; readonly word: string }
  | { readonly _tag: "Input"; readonly execution: Execution; readonly expiresAt: string }
  | { readonly _tag: "Unserved"; readonly agent: Agent }
  | { readonly _tag: "KeyEnds"; readonly key: Key; readonly endsAt: string }

export interface AccountFacts {
  readonly receivers: ReadonlyArray<Receiver>
  /** Executions with an open question. */
  readonly asking: ReadonlyArray<Execution>
  readonly agents: ReadonlyArray<Agent>
  readonly keys: ReadonlyArray<Key>
}

const dayMs = 86_400_000

/** A key that expires within this time needs attention if it was used during the same time before. */
const endsWithinMs = 7 * dayMs

const isUsedLately = ({ last_used_at }: Key, now: number): boolean =>
  last_used_at !== null && Date.parse(last_used_at) > now - endsWithinMs

export const needsOf = (
  { agents, asking, keys, receivers }: AccountFacts,
  now: number
): ReadonlyArray<Need> => [
  ...receivers
    .filter(({ dead, state, waiting }) => ["open", "failing"].includes(state) && dead + waiting > 0)
    .toSorted((one, other) => other.dead + other.waiting - one.dead - one.waiting)
    .map((receiver): Need => ({ _tag: "Receiver", receiver, word: failureWords(receiver) })),
  ...asking
    .flatMap((execution): ReadonlyArray<Need & { readonly expiresAt: string }> => {
      const expiresAt = execution.input_request?.expires_at
      return expiresAt === undefined ? [] : [{ _tag: "Input", execution, expiresAt }]
    })
    .toSorted((one, other) => Date.parse(one.expiresAt) - Date.parse(other.expiresAt)),
  ...agents
    .filter(({ queued, status }) => status === "offline" && queued > 0)
    .toSorted((one, other) => other.queued - one.queued)
    .map((agent): Need => ({ _tag: "Unserved", agent })),
  ...keys.flatMap((key): ReadonlyArray<Need> => {
    const { expires_at: endsAt, revoked_at } = key
    if (endsAt === null || revoked_at !== null || !isUsedLately(key, now)) return []
    const left = Date.parse(endsAt) - now
    return left > 0 && left < endsWithinMs ? [{ _tag: "KeyEnds", key, endsAt }] : []
  })
]
