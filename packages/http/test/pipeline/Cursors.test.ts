import { assert, describe } from "@effect/vitest"
import { sealCursor } from "@runhook/core/shared/Cursor"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { operations } from "../Documented.ts"
import { nobody, tenantHost } from "../Endpoints.ts"
import { errorOf } from "../Hosts.ts"
import { test } from "../Service.ts"
import { makeExecution } from "../Tenant.ts"

const Page = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ id: Schema.String })),
    next_cursor: Schema.NullOr(Schema.String)
  })
)

/** Two executions of a tenant in a list of the integration API, and how to read it. */
const makeList = Effect.fnUntraced(function* () {
  const { send, tenant } = yield* tenantHost
  const made = [yield* makeExecution(tenant), yield* makeExecution(tenant)].map(
    ({ execution_id }) => execution_id
  )
  const ask = (query: string) => send("integration", `/api/v1/integrations/executions?${query}`)
  const pageAt = Effect.fnUntraced(function* (query: string) {
    const answer = yield* ask(query)
    const text = yield* Effect.promise(() => answer.text())
    return yield* Schema.decodeEffect(Page)(text)
  })
  return { ask, made, pageAt, send, tenant }
})

/** The path of each list, with ids of nothing. */
const lists = operations
  .filter(({ description }) => JSON.stringify(description["parameters"] ?? []).includes('"name":"cursor"'))
  .map(({ path }) => path.replaceAll(/\{[^}]+\}/g, nobody))

describe("a cursor", () => {
  test("leads on in its list, with any limit and filters in any order", function* () {
    const { made, pageAt } = yield* makeList()
    const first = yield* pageAt("status=queued&status=running&from=1970-01-01T00:00:00Z&limit=1")

    const second = yield* pageAt(
      `limit=7&cursor=${first.next_cursor}&from=1970-01-01T00%3A00%3A00Z&status=running&status=queued`
    )

    assert.deepStrictEqual(
      [...first.data, ...second.data].map(({ id }) => id),
      made.toReversed()
    )
    assert.isNull(second.next_cursor)
  })

  test("is refused with other filters, and in another list", function* () {
    const { ask, pageAt, send, tenant } = yield* makeList()
    const { next_cursor } = yield* pageAt("status=queued&limit=1")
    const cursor = `cursor=${next_cursor}`

    const answers = [
      yield* ask(cursor),
      yield* ask(`status=running&${cursor}`),
      yield* ask(`status=queued&status=running&${cursor}`),
      yield* ask(`status=queued&reference=order-1234&${cursor}`),
      yield* send("admin", `/api/v1/admin/accounts/${tenant.account.id}/executions?status=queued&${cursor}`)
    ]

    for (const answer of answers) {
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(
        (yield* errorOf(answer)).message,
        "query.cursor: must be a next_cursor of this list with the same filters"
      )
    }
  })

  test("of nothing is refused by every list there is", function* () {
    const { send } = yield* tenantHost
    const cursor = sealCursor({ after: nobody, list: "00000000" })

    for (const path of lists) {
      const answer = yield* send(
        path.startsWith("/api/v1/admin") ? "admin" : "integration",
        `${path}?cursor=${cursor}`
      )

      assert.strictEqual(answer.status, 400, path)
    }
    assert.isAbove(lists.length, 12)
  })
})
