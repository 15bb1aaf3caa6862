/**
 * Whether the database takes writes at this moment. A database that is
 * read-only, or whose disk is full, answers reads as ever, so it is asked to
 * write.
 */
import { StoreUnavailable } from "@runhook/core/ports/StoreUnavailable"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { orDefect } from "../sql/SqlErrors.ts"
import { sqlStateOf } from "./Outages.ts"

/** How long an answer holds, so that probes cost little however often they come. */
export const cachedFor = Duration.seconds(1)

/** A database that takes longer takes no writes. Shorter than a readiness probe waits, which then hears the reason. */
export const answerTimeout = Duration.millis(1_800)

/** SQLSTATE of a database that allows no file of that size: it says nothing about the disk. */
const fileLimit = "53400"

export class Writability extends Context.Service<
  Writability,
  {
    /**
     * Ends when the database has taken a write, and dies with
     * `StoreUnavailable` when it has not. Callers at once share one question.
     */
    readonly check: Effect.Effect<void>
  }
>()("@runhook/store-pg/database/Writability") {
  static readonly layer = Layer.effect(
    Writability,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const scope = yield* Effect.scope

      // An update finds room in the page it is on even on a full disk. A file of
      // a megabyte does not, and it is gone with the transaction.
      const findRoom = Effect.gen(function* () {
        yield* sql`SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)`
        yield* sql`SELECT count(*) FROM generate_series(1, 40000)`
      }).pipe(
        sql.withTransaction,
        Effect.catchIf(
          (error) => sqlStateOf(error) === fileLimit,
          () => Effect.void
        )
      )

      // Committed, so it also waits for whatever commits wait for. The row stays one, in one page.
      const write = sql`
        INSERT INTO write_checks (id, checked_at)
        VALUES (1, now())
        ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`

      const tooSlow = Effect.die(
        new StoreUnavailable({
          reason: `the database took no write within ${Duration.format(answerTimeout)}`
        })
      )
      const inTime = Effect.timeoutOrElse({ duration: answerTimeout, orElse: () => tooSlow })

      const ask = orDefect(Effect.asVoid(Effect.andThen(findRoom, write))).pipe(inTime)

      let latest: { readonly at: number; readonly asking: Fiber.Fiber<void> } | undefined

      /** One question at a time, also while the database does not let go of the last one. */
      const isRemembered = (now: number): boolean =>
        latest !== undefined &&
        (latest.asking.pollUnsafe() === undefined || now - latest.at < Duration.toMillis(cachedFor))

      return Writability.of({
        check: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          // In nobody's scope, so that who goes away takes the answer from nobody.
          if (latest === undefined || !isRemembered(now))
            latest = { at: now, asking: yield* Effect.forkIn(ask, scope) }
          yield* Fiber.join(latest.asking).pipe(inTime)
        })
      })
    })
  )
}
