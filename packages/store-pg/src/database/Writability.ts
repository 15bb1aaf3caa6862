/**
 * Whether the database takes writes now. A database that is read-only, or whose disk is full, still answers reads, so
 * this writes.
 */
import { StoreUnavailable } from "@runhook/core/engine/StoreUnavailable"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { orDefect } from "../sql/SqlErrors.ts"
import { sqlStateOf } from "./Outages.ts"

/** How long an answer holds, so that frequent probes cost little. */
export const cachedFor = Duration.seconds(1)

/**
 * A slower database counts as not writable. Shorter than a readiness probe waits, so that the probe gets the reason.
 */
const answerTimeout = Duration.millis(1_800)

/** SQLSTATE for a file size that the database does not allow: it says nothing about the disk. */
const fileLimit = "53400"

export class Writability extends Context.Service<
  Writability,
  {
    /**
     * Succeeds after a write; dies with `StoreUnavailable` if the database does not take it. Concurrent callers share
     * one write.
     */
    readonly check: Effect.Effect<void>
  }
>()("@runhook/store-pg/database/Writability") {
  static readonly layer = Layer.effect(
    Writability,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const scope = yield* Effect.scope

      // An update finds room in its page even on a full disk. A file of a megabyte does not, and it is gone with the
      // transaction.
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

      // Committed, so that it also waits for what commits wait for. It stays one row, in one page.
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

      /** Asks once at a time, even while the database does not answer the last one. */
      const isRemembered = (now: number): boolean =>
        latest !== undefined &&
        (latest.asking.pollUnsafe() === undefined || now - latest.at < Duration.toMillis(cachedFor))

      return Writability.of({
        check: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          // In no caller's scope: a caller that leaves does not end it for the others.
          if (latest === undefined || !isRemembered(now))
            latest = { at: now, asking: yield* Effect.forkIn(ask, scope) }
          yield* Fiber.join(latest.asking).pipe(inTime)
        })
      })
    })
  )
}
