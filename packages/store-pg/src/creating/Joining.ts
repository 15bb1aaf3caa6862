/**
 * Stores an execution in a transaction that its caller has open, so that both
 * are kept or neither. Batches cannot: they have transactions of their own.
 */
import { topicsOf } from "@runhook/core/ChangeSignals"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { StoreClock } from "../clock/StoreClock.ts"
import { decodedFirst } from "../Outcomes.ts"
import { channel, isForOthers, noticesOf } from "../signals/Notice.ts"
import { CreatedRow, createStatement, type Creation, madeBy } from "./CreateStatement.ts"
import { createdOf } from "./Creates.ts"

/** No process has that name, so all of them listen. */
const origin = "transaction"

export const makeJoining = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clock = yield* StoreClock

  // PostgreSQL tells it when the transaction commits, and forgets it with one that is rolled back.
  const tell = (creation: Creation) => {
    const notices = noticesOf(origin, topicsOf(madeBy(creation)).filter(isForOthers))
    return sql`SELECT pg_notify(${channel}::text, notice) FROM unnest(${notices}::text[]) AS notice`
  }

  const store = Effect.fnUntraced(function* (bucket: number, creation: Creation) {
    const row = yield* decodedFirst(CreatedRow)(
      createStatement(sql, { bucket, creations: [creation], clock })
    )
    const created = createdOf(row)
    if (created._tag === "Made") yield* tell(creation)
    return created
  })

  return {
    /** Whether the caller has a transaction open. */
    isWanted: Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome),

    /** Stores an execution of the bucket, if it may be stored. What the database refuses leaves the transaction usable. */
    submit: Effect.fnUntraced(function* (bucket: number, creation: Creation) {
      yield* sql`SAVEPOINT runhook_create`
      const created = yield* Effect.onError(store(bucket, creation), () =>
        Effect.ignore(sql`ROLLBACK TO SAVEPOINT runhook_create`)
      )
      yield* sql`RELEASE SAVEPOINT runhook_create`
      return created
    })
  }
})
