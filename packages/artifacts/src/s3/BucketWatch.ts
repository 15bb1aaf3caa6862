/** Watches whether a bucket can be used. The operator is told once that it cannot, and once that it can again. */
import { StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { BucketFault } from "./BucketFault.ts"

type Condition = "full" | "ready"

export interface BucketWatch {
  /** Ends what a fault of the bucket has stopped. */
  away(fault: BucketFault): Effect.Effect<never>
  /** Whether it takes bytes: tried again after a while, by one caller for all. */
  readonly check: Effect.Effect<Condition>
}

/** How long a trial counts; a bad one less long, since it is to be mended. */
const known = { good: Duration.seconds(30), bad: Duration.seconds(5) }

/** `tryToWrite` stores some bytes. `name` is the bucket's, for the operator. */
export const make = Effect.fnUntraced(function* (
  name: string,
  tryToWrite: Effect.Effect<unknown, BucketFault>
) {
  let told: Condition | "away" = "ready"

  const tellAway = (reason: string) => {
    if (told === "away") return Effect.void
    told = "away"
    return Effect.logError(`Files in ${name} are neither taken nor given until this is mended: ${reason}`)
  }

  const tellFull = (reason: string) => {
    if (told === "full") return Effect.void
    told = "full"
    return Effect.logError(`Uploads to ${name} are refused: ${reason}`)
  }

  const tellBack = Effect.suspend(() => {
    if (told === "ready") return Effect.void
    told = "ready"
    return Effect.logInfo(`Files are taken and given again in ${name}`)
  })

  const away = ({ reason }: BucketFault) =>
    Effect.andThen(tellAway(reason), Effect.die(new StorageUnavailable({ reason })))

  const check = yield* tryToWrite.pipe(
    Effect.andThen(Effect.as(tellBack, "ready" as const)),
    Effect.catch((fault) =>
      fault.isFull ? Effect.as(tellFull(fault.reason), "full" as const) : away(fault)
    ),
    Effect.cachedWithTTL((exit) => (Exit.isSuccess(exit) && exit.value === "ready" ? known.good : known.bad))
  )

  const watch: BucketWatch = { away, check }
  return watch
})
