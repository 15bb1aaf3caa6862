/**
 * How many executions of one key of an account are at work at once. Each has a seat of its key from before it may be
 * claimed until its lease ends; the others wait for one, out of the queue of their agent.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isStorableText } from "../../shared/json/JsonText.ts"
import { InvalidField } from "../../shared/Refusals.ts"

/** Longest key in code points. */
export const concurrencyKeyLengthMax = 255

export const concurrencyLimitMax = 1_000

export const ConcurrencyKey = Schema.String.check(
  Schema.isBetweenCodePoints(1, concurrencyKeyLengthMax),
  isStorableText
)

export const ConcurrencyLimit = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: concurrencyLimitMax })
)

/**
 * What becomes of an execution while its key has no seat for it: it waits; it is refused when it is created; or the
 * latest wins: once it is due, it goes first, and the unfinished ones of its key that are older are cancelled, whether at
 * work, waiting, between two attempts, held or awaiting input; all but the newest of them for which the limit has room.
 */
export const ConcurrencyPolicy = Schema.Literals(["queue", "reject", "cancel_running"])
export type ConcurrencyPolicy = typeof ConcurrencyPolicy.Type

export const Concurrency = Schema.Struct({
  key: ConcurrencyKey,
  limit: ConcurrencyLimit,
  policy: ConcurrencyPolicy
})
export type Concurrency = typeof Concurrency.Type

/** As a request has it, before it is checked. */
export const AskedConcurrency = Schema.Struct({
  ...Concurrency.fields,
  key: Schema.NullOr(Concurrency.fields.key)
})
export type AskedConcurrency = typeof AskedConcurrency.Type

/** A limit and a policy are of a key. */
export const checkConcurrency = (
  asked: AskedConcurrency | null
): Result.Result<Concurrency | null, InvalidField> => {
  if (asked === null) return Result.succeed(null)
  const { key } = asked
  return key === null
    ? Result.fail(
        new InvalidField({
          path: ["concurrency_key"],
          rule: "is required beside concurrency_limit and concurrency_policy"
        })
      )
    : Result.succeed({ ...asked, key })
}

/** Where an execution waits among those of its key: what cancels others goes first. */
export const seatRank = ({ concurrency }: { readonly concurrency: Concurrency | null }): number =>
  concurrency?.policy === "cancel_running" ? 0 : 1

/** Why an execution was cancelled to make room. */
export const replacedReason = "replaced by another execution of its concurrency key"
