/** npm that is killed leaves behind what it has started; a server that nobody sees would keep its port. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { isUnderNpm } from "./config.ts"

/** Waits until npm, if it started this process, has gone. */
export const parentGone: Effect.Effect<Effect.Effect<void>> = Effect.gen(function* () {
  if (!(yield* Effect.orDie(isUnderNpm))) return Effect.never
  const parent = process.ppid
  return Effect.sync(() => process.ppid).pipe(
    Effect.repeat({ until: (current) => current !== parent, schedule: Schedule.spaced(Duration.seconds(1)) }),
    Effect.asVoid
  )
})
