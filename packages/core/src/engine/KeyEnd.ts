/** Ends what a caller has open when its key or session is no longer valid. */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Signals } from "../signals/Signals.ts"
import type { WaitingKey } from "./LongPoll.ts"

/** A changed key is checked again after this long: the cached key may be older than its change. */
const keyLookEvery = Duration.seconds(2)

/** How long the key remains valid: for ever, unless it says otherwise. None if it no longer is. */
const openFor = (key: WaitingKey<unknown>) =>
  Effect.matchCauseEffect(key.opensUntil, {
    onFailure: (cause) =>
      // A store that is away says nothing about the key.
      Effect.succeed(Cause.hasFails(cause) ? Option.none() : Option.some(keyLookEvery)),
    onSuccess: (end) =>
      Effect.map(DateTime.now, (at) =>
        Option.some(end === null ? Duration.infinity : DateTime.distance(at, end))
      )
  })

export const makeKeyEnd = Effect.gen(function* () {
  const signals = yield* Signals

  /** Ends when the key is no longer valid; never, without a key. Checks it when it was changed, and when it would expire. */
  return Effect.fnUntraced(function* (key: WaitingKey<unknown> | null) {
    if (key === null) return yield* Effect.never
    const woken = yield* signals.subscribe([`key:${key.id}`])
    let longest = Duration.infinity
    while (true) {
      const open = yield* openFor(key)
      if (Option.isNone(open)) return
      const wait = Duration.max(Duration.min(open.value, longest), Duration.seconds(1))
      const heard: Option.Option<void> = yield* Duration.isFinite(wait)
        ? Effect.timeoutOption(woken, wait)
        : Effect.asSome(woken)
      longest = Option.isSome(heard) ? keyLookEvery : Duration.infinity
    }
  }, Effect.scoped)
})
