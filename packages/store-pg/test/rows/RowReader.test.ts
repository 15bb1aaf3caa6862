/** Rows are trusted as far as `Plain` says, and no further. */
import { assert, describe, it } from "@effect/vitest"
import { TimeoutSeconds } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { RetryBackoff, retryBackoffDefault } from "@runhook/core/executions/RetryBackoff"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson, StoredObjectFromText } from "@runhook/core/shared/json/StoredJson"
import { rowsOf } from "@runhook/store-pg/rows/Rows"
import { both, eitherBy, rowTable } from "@runhook/store-pg/rows/RowTable"
import { second } from "@runhook/store-testing/Fixtures"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as CheckedRows from "./CheckedRows.ts"

const Row = Schema.Struct({
  id: ExecutionId,
  status: ExecutionStatus,
  startedAt: Schema.NullOr(Schema.DateTimeUtc),
  timeoutSeconds: Schema.NullOr(TimeoutSeconds),
  announced: Schema.Array(ExecutionStatus),
  retryBackoff: RetryBackoff,
  metadata: StoredObjectFromText,
  result: Schema.NullOr(StoredObjectFromText),
  at: Schema.DateTimeUtcFromMillis
})

const columns = {
  id: "e.id",
  status: "e.status",
  startedAt: "e.started_at",
  timeoutSeconds: "r.timeout_seconds",
  announced: "e.announced",
  retryBackoff: "r.retry_backoff",
  metadata: "r.metadata::text",
  result: "x.result::text",
  at: "e.at"
}

const table = rowTable(columns, Row)

const values = {
  id: "0190a8f0-0000-7000-8000-000000000000",
  status: "queued",
  startedAt: second(3),
  timeoutSeconds: 60,
  announced: ["queued"],
  retryBackoff: retryBackoffDefault,
  metadata: '{"order":7}',
  result: null,
  at: 5_000
}

const readWith = (others: object, columnsMore: ReadonlyArray<unknown> = []) =>
  rowsOf(table)({
    values: Effect.succeed([[...Object.values({ ...values, ...others }), ...columnsMore]])
  })

const refusalOf = Effect.fnUntraced(function* (others: object) {
  const error = yield* Effect.flip(readWith(others))
  return error.message
})

describe("A row", () => {
  it("is listed by the columns that it is read from, in their order", () =>
    assert.strictEqual(
      table.columns,
      'e.id AS "id", e.status AS "status", e.started_at AS "startedAt", r.timeout_seconds AS "timeoutSeconds", ' +
        'e.announced AS "announced", r.retry_backoff AS "retryBackoff", r.metadata::text AS "metadata", ' +
        'x.result::text AS "result", e.at AS "at"'
    ))

  it("is read by no two tables of different columns", () => {
    const other = rowTable({ ...columns, id: "r.id" }, Row)
    assert.throws(() => both(table, other, (one) => one), "One row is read by two tables")
    assert.throws(() => eitherBy("id", { ifNull: table, ifGiven: other }), "One row is read by two tables")
  })

  it.effect("is read as its schema decodes it", () =>
    Effect.gen(function* () {
      const [row] = yield* readWith({})
      assert.deepStrictEqual(row, Schema.decodeUnknownSync(Row)(values))
    })
  )

  it.effect("is not asked again for what was checked before it was stored", () =>
    Effect.gen(function* () {
      const [row] = yield* readWith({ timeoutSeconds: 0 })
      assert.strictEqual(row?.timeoutSeconds, 0)
    })
  )

  it.effect("is decoded where stores are tested, so that what is trusted wrongly comes out there", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Effect.provide(readWith({ timeoutSeconds: 0 }), CheckedRows.layer))
      assert.isTrue(Exit.hasFails(exit))
    })
  )

  it.effect("has JSON as the text of its column, which nobody reads before it is asked for", () =>
    Effect.gen(function* () {
      const [row] = yield* readWith({ metadata: "{not read}", result: '{"pages":3}' })
      assert.strictEqual(row?.metadata.text, "{not read}")
      assert.deepStrictEqual(row?.result, StoredJson.of({ pages: 3 }))
    })
  )

  it.effect("is refused for a word that this version does not know", () =>
    Effect.gen(function* () {
      assert.include(yield* refusalOf({ status: "paused" }), '["status"]')
      assert.include(yield* refusalOf({ announced: ["queued", "paused"] }), '["announced"]')
    })
  )

  it.effect("is refused for a value of another kind, and for one that is missing", () =>
    Effect.gen(function* () {
      assert.include(yield* refusalOf({ id: 7 }), '["id"]')
      assert.include(yield* refusalOf({ startedAt: "2026-01-01" }), '["startedAt"]')
      assert.include(yield* refusalOf({ timeoutSeconds: "60" }), '["timeoutSeconds"]')
      assert.include(yield* refusalOf({ status: null }), '["status"]')
      assert.include(yield* refusalOf({ id: undefined }), '["id"]')
      assert.include(yield* refusalOf({ startedAt: undefined }), '["startedAt"]')
      assert.include(yield* refusalOf({ retryBackoff: { initialSeconds: 1 } }), '["retryBackoff"]')
      assert.include(yield* refusalOf({ metadata: { order: 7 } }), '["metadata"]')
      assert.include(yield* refusalOf({ metadata: null }), '["metadata"]')
      assert.include(yield* refusalOf({ result: "[]" }), '["result"]')
    })
  )

  it.effect("has nothing in it that a later version may have written beside what this one knows", () =>
    Effect.gen(function* () {
      const [row] = yield* readWith({ retryBackoff: { ...retryBackoffDefault, spread: 2 } })
      assert.deepStrictEqual(row?.retryBackoff, retryBackoffDefault)
    })
  )

  it.effect("is a defect when its statement lists other columns than its table", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(readWith({}, ["more"]))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})
