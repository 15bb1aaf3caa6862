/**
 * The turns of an account: what may cost much is served one by one, with a rest
 * after each that is as long as it took. So an account has half of the process' time
 * at most, however much it asks for at once.
 */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Call } from "../pipeline/Call.ts"
import { type Lines, makeLines } from "./Lines.ts"
import { refusal } from "./RateLimited.ts"

/** As many as a key may ask for at once. */
export const readsWaitingMax = 200

/** The longest that each of them waits, in milliseconds. */
export const readWaitMax = 10_000

/** The lines of this process, over all of its APIs. */
const ReadLines = Context.Reference<Lines<AccountId>>("@runhook/http/ReadLines", {
  defaultValue: () => makeLines({ waitingMax: readsWaitingMax, waitMax: readWaitMax, restMin: 0 })
})

const tooMany = refusal(
  "Too many lists and counts of this account wait for each other",
  { limit: readsWaitingMax, retrySeconds: 1 },
  { reason: "too_many_reads" }
)

const asOwner = Effect.fnUntraced(function* <A, E, R>({ owner }: Call, work: Effect.Effect<A, E, R>) {
  // Operators do not wait.
  if (owner === undefined || owner === null) return Option.some(yield* work)
  return yield* (yield* ReadLines)(owner, work)
})

/** Serves a request in the turn of its account; fails with a 429 if too many wait, or if this one waited too long. */
export const inTurn = Effect.fnUntraced(function* <A, E, R>(call: Call, work: Effect.Effect<A, E, R>) {
  const served = yield* asOwner(call, work)
  return Option.isSome(served) ? served.value : yield* tooMany
})

/** Reads a piece of an answer that has begun, and so cannot be refused any more. */
export const pieceInTurn = <A, E, R>(call: Call, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(asOwner(call, work), (served) =>
    Option.isSome(served)
      ? Effect.succeed(served.value)
      : Effect.delay(
          Effect.suspend(() => pieceInTurn(call, work)),
          "1 second"
        )
  )
