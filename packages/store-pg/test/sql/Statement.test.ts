import { assert, describe, it } from "@effect/vitest"
import { fixedTimeSql } from "@runhook/store-pg/clock/FixedTimeSql"
import { inBucket, text } from "@runhook/store-pg/sql/Parameters"
import { fixed, type InBucket, statement } from "@runhook/store-pg/sql/Statement"
import { second } from "@runhook/store-testing/Fixtures"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestDatabase from "../TestDatabase.ts"

interface Asked extends InBucket {
  readonly id: string
}

interface Distant {
  readonly at: DateTime.Utc
  readonly span: Duration.Duration
}

const idOf = text(({ id }: Asked) => id)

const asked = { bucket: 7, id: "one" }

describe("A statement whose text is built once", () => {
  it.layer(TestDatabase.layerEmpty)((it) => {
    it.effect("numbers a value once, wherever it stands, also in a text within", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const within = fixed<InBucket>`a.bucket = ${inBucket}`
        const found = statement(
          fixed<Asked>`SELECT ${"a.id, 3"} WHERE ${within} AND a.id = ${idOf} AND b.bucket = ${inBucket} LIMIT ${2}`
        )

        const [words, values] = found(sql, asked).compile()

        assert.strictEqual(
          words,
          "SELECT a.id, 3 WHERE a.bucket = $1::smallint AND a.id = $2::text AND b.bucket = $1::smallint LIMIT 2"
        )
        assert.deepStrictEqual(values, [7, "one"])
      })
    )

    it.effect("has the same words for whatever is asked", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const found = statement(fixed<Asked>`SELECT ${inBucket} AS bucket, ${idOf} AS id`)

        const rows = yield* found(sql, asked)
        const others = yield* found(sql, { bucket: 8, id: "'; SELECT 1" })

        assert.deepStrictEqual([...rows, ...others], [asked, { bucket: 8, id: "'; SELECT 1" }])
      })
    )

    it.effect("runs in the transaction that is open", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const pid = statement(fixed`SELECT txid_current_if_assigned() IS NOT NULL AS "isWriting"`)

        const rows = yield* sql.withTransaction(Effect.andThen(sql`SELECT txid_current()`, pid(sql, {})))

        assert.deepStrictEqual(rows, [{ isWriting: true }])
      })
    )

    it.effect("takes moments by the clock of its text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const distancesBy = (clock: "caller" | "database") => {
          const { after, before, now } = fixedTimeSql(clock)
          const span = (distant: Distant) => distant.span
          return statement(fixed<Distant>`
            SELECT ${now} AS now, ${after(span)} AS after, ${before(span)} AS before`)
        }
        const at = second(1)

        const [callers] = yield* distancesBy("caller")(sql, { at, span: Duration.millis(1_500) })
        const [words] = distancesBy("database")(sql, { at, span: Duration.zero }).compile()

        assert.deepStrictEqual(callers, { now: at, after: second(2.5), before: second(-0.5) })
        assert.include(words, "SELECT statement_timestamp()::timestamptz(3) AS now")
      })
    )
  })
})
