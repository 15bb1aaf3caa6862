/** What the migrations make of what was given up before them. */
import { assert, describe, it } from "@effect/vitest"
import { migrations, recordTable } from "@runhook/store-pg/migrations/Migrations"
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { layerEmpty } from "./TestDatabase.ts"

/** Applies what is missing of the migrations up to the id. */
const migrateTo = (last: string) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(migrations).filter(([name]) => name.slice(0, 4) <= last))
    ),
    table: recordTable
  })

/** As the version before buries it. */
const bury = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient
  yield* sql`
    WITH delivery AS (
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, type, url, request_id, body, state, attempts, round, expires_at,
        last_status, last_error, created_at, settled_at
      )
      VALUES (
        7, '00000000-0000-7000-8000-000000000001', gen_random_uuid(), gen_random_uuid(), 'webhook.test', ${url}::text, 'req',
        '{}', 'dead', 12, 1, now(), 401, 'The receiver answered 401', now(), now()
      )
      RETURNING bucket, account_id, id
    )
    INSERT INTO webhook_dead (bucket, account_id, delivery_id) SELECT bucket, account_id, id FROM delivery`
})

describe("Migrations of dead deliveries", () => {
  it.layer(layerEmpty)((it) => {
    it.effect("name the receiver of what is there, and let the version before bury more", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* migrateTo("0012")
        yield* bury("https://hooks.example.com:8443/in?to=1")

        yield* migrateTo("9999")

        yield* bury("https://later.example.com/in")
        const dead = yield* sql`SELECT origin, cause, type FROM webhook_dead ORDER BY origin`
        assert.deepStrictEqual(dead, [
          { origin: "", cause: "unknown", type: "" },
          { origin: "https://hooks.example.com:8443", cause: "unknown", type: "webhook.test" }
        ])
      })
    )
  })
})
