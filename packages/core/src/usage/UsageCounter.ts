/**
 * Counts what this process does, after each commit, and stores the sums once a
 * second and when it stops. Nothing waits for it. A killed process loses its last
 * second, and while the store is away for long some new counts are lost: they are
 * for people to look at.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { Execution } from "../executions/Execution.ts"
import { type Delivery, destinationOf, isFetched } from "../deliveries/Delivery.ts"
import type { ApiKeyRecord } from "../keys/ApiKeyRecord.ts"
import type { Change } from "../runs/Run.ts"
import { UsageSheet } from "./UsageSheet.ts"
import { type CountedChange, countedOf } from "./UsageOfChange.ts"
import type { Settlement } from "../deliveries/DeliveryStore.ts"
import { isStoreAway } from "../engine/StoreUnavailable.ts"
import { UsageStore } from "./UsageStore.ts"
import * as ExecutionSpans from "../executions/ExecutionSpans.ts"
import * as ServiceMetrics from "../engine/ServiceMetrics.ts"

/** Between two writes of the sums. */
const pace = Duration.seconds(1)

/** Longest wait at the end for the store to take the last sums. */
const farewellMax = Duration.seconds(1)

export class UsageCounter extends Context.Service<UsageCounter>()("@runhook/core/usage/UsageCounter", {
  make: Effect.gen(function* () {
    const usage = yield* UsageStore
    const context = yield* Effect.context<never>()
    ServiceMetrics.begin(context)
    const trace = yield* ExecutionSpans.make
    const hasCounted = yield* Latch.make()
    let sheet = new UsageSheet()

    /** The sheet to count on, which is stored a little later. */
    const open = (): UsageSheet => {
      if (sheet.isEmpty) hasCounted.openUnsafe()
      return sheet
    }

    const putBack = (unstored: UsageSheet): void => {
      unstored.take(sheet)
      sheet = unstored
      hasCounted.openUnsafe()
    }

    /**
     * Keeps what the store could not take now, for the next time; drops what it refuses, since it would refuse that
     * again.
     */
    const keep = (unstored: UsageSheet, cause: Cause.Cause<never>) => {
      if (!Cause.hasInterruptsOnly(cause) && !isStoreAway(cause)) {
        return Effect.logError("Counts of usage could not be stored and are lost", cause)
      }
      putBack(unstored)
      return Effect.logDebug("Counts of usage wait for the store", cause)
    }

    /** Stores what was counted so far. */
    const store = Effect.suspend(() => {
      if (sheet.isEmpty) return Effect.void
      const counted = sheet
      sheet = new UsageSheet()
      return usage.add(counted.read()).pipe(
        Effect.map((away) => {
          counted.keepOnly(away)
          if (!counted.isEmpty) putBack(counted)
        }),
        Effect.onExit((exit) => (Exit.isFailure(exit) ? keep(counted, exit.cause) : Effect.void)),
        Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.void))
      )
    })

    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(store), farewellMax))
    yield* hasCounted.await.pipe(
      Effect.andThen(hasCounted.close),
      Effect.andThen(Effect.sleep(pace)),
      Effect.andThen(store),
      Effect.forever,
      Effect.forkScoped
    )

    return {
      /** Changes that were stored. */
      changed: (changes: ReadonlyArray<Change>): void => {
        for (const change of changes) {
          const counted = countedOf(change)
          if (counted === null) continue
          ServiceMetrics.changed(counted, context)
          trace(change.run.execution, counted)
          count(open(), change.run.execution, counted)
        }
      },

      /** The end of an attempt, once it is stored. */
      attempted: (
        { accountId, apiKeyId, url }: Pick<Delivery, "accountId" | "apiKeyId" | "url">,
        { attempt, isUnmade, verdict }: Settlement
      ): void => {
        const at = DateTime.add(attempt.startedAt, { milliseconds: attempt.durationMs })
        const place = { accountId, apiKeyId, taskId: null }
        const isDelivered = verdict._tag === "Delivered"
        const page = open()
        if (verdict._tag === "Dead") page.count(place, "dead", at)
        if (isUnmade === true) return
        page.count(place, isDelivered ? "delivered" : "failedAttempts", at)
        if (isFetched({ url })) return
        const receiver = { accountId, origin: destinationOf(url), at }
        page.noteAttempt(
          isDelivered
            ? { ...receiver, isDelivered }
            : { ...receiver, isDelivered, cause: attempt.cause, status: attempt.status }
        )
      },

      /** A valid key of a request, and the address it came from. */
      keyUsed: (
        { accountId, id: apiKeyId }: Pick<ApiKeyRecord, "accountId" | "id">,
        from: string | null,
        at: DateTime.Utc
      ): void => {
        const page = open()
        page.count({ accountId, apiKeyId, taskId: null }, "requests", at)
        page.noteKeyUse({ accountId, apiKeyId, from, at })
      },

      store
    }
  })
}) {
  static readonly layer = Layer.effect(UsageCounter, UsageCounter.make)
}

const count = (sheet: UsageSheet, execution: Execution, counted: CountedChange): void => {
  const { counter, isUnstarted, millis } = counted
  if (isUnstarted === true) sheet.count(execution, "neverStarted", execution.updatedAt)
  if (millis === null) return sheet.count(execution, counter, execution.updatedAt)
  const of = counter === "started" ? "toStart" : "toFinish"
  sheet.countTimed(execution, counter, execution.updatedAt, { of, millis })
}
