import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { PageBytes } from "../../src/limits/PageBytes.ts"
import { Host, service } from "../Service.ts"
import { makeTenant, type Tenant } from "../Tenant.ts"

const Page = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(
      Schema.Struct({ id: Schema.String, params: Schema.Record(Schema.String, Schema.Json) })
    ),
    next_cursor: Schema.NullOr(Schema.String),
    request_id: Schema.String
  })
)

/** A page as a caller gets it, and how many bytes it has. */
const getPage = Effect.fnUntraced(function* (path: string, key: string) {
  const fetch = yield* Host
  const answer = yield* fetch(path, { headers: { authorization: `Bearer ${key}` } })
  const text = yield* Effect.promise(() => answer.text())
  assert.strictEqual(answer.status, 200, text.slice(0, 500))
  assert.strictEqual(answer.headers.get("content-type"), "application/json")
  const page = yield* Schema.decodeEffect(Page)(text)
  assert.strictEqual(page.request_id, answer.headers.get("x-request-id"))
  return { ...page, bytes: new TextEncoder().encode(text).length }
})

const executions = "/api/v1/integrations/executions"

const someExecutions = Effect.fnUntraced(function* (
  { agent, integration, task }: Tenant,
  { count, params }: { readonly count: number; readonly params: JsonObject }
) {
  const ids: Array<string> = []
  for (let made = 0; made < count; made++) {
    const payload = { agent_id: agent.id, task_id: task.id, params }
    const created = yield* integration.executions.create({ params: {}, headers: {}, query: {}, payload })
    ids.unshift("execution_id" in created ? created.execution_id : "")
  }
  return ids
})

const text = (bytes: number): JsonObject => ({ text: "x".repeat(bytes) })

describe("Pages of large items", () => {
  it.layer(service)((it) => {
    it.effect("end at four mebibytes, and the next goes on where they end, in its turn", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const params = text(1_000_000)
        const ids = yield* someExecutions(tenant, { count: 6, params })
        const other = yield* makeTenant()
        yield* someExecutions(other, { count: 5, params })

        const first = yield* getPage(`${executions}?limit=200`, tenant.key.key)
        const next = getPage(`${executions}?limit=200&cursor=${first.next_cursor}`, tenant.key.key)
        const waiting = yield* Effect.forkChild(next, { startImmediately: true })
        // Others wait for nothing: a page of theirs that is asked for later, and is larger, is there before.
        yield* getPage(`${executions}?limit=200`, other.key.key)
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("1 second")
        const second = yield* Fiber.join(waiting)

        assert.deepStrictEqual(
          [first, second].map(({ data }) => data.map(({ id }) => id)),
          [ids.slice(0, 4), ids.slice(4)]
        )
        assert.deepStrictEqual(first.data[0]?.params, params)
        assert.isBelow(first.bytes, 4 * 1024 * 1024)
        assert.isNull(second.next_cursor)
      })
    )

    it.effect("end at the limit as well, and at the end of the list", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const ids = yield* someExecutions(tenant, { count: 4, params: text(200_000) })

        const three = yield* getPage(`${executions}?limit=3`, tenant.key.key)
        const all = yield* getPage(`${executions}?limit=4`, tenant.key.key)

        assert.deepStrictEqual(
          three.data.map(({ id }) => id),
          ids.slice(0, 3)
        )
        assert.isString(three.next_cursor)
        assert.deepStrictEqual(
          all.data.map(({ id }) => id),
          ids
        )
        assert.isNull(all.next_cursor)
      })
    )

    it.effect("end for operators where they end for callers", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const ids = yield* someExecutions(tenant, { count: 5, params: text(1_000_000) })

        const page = yield* getPage(
          `/api/v1/admin/accounts/${tenant.account.id}/executions?limit=200`,
          adminKey
        )

        assert.deepStrictEqual(
          page.data.map(({ id }) => id),
          ids.slice(0, 4)
        )
      })
    )
  })

  it.layer(service.pipe(Layer.provide(Layer.succeed(PageBytes, 600_000))))((it) => {
    it.effect("end where the host says, and show an item alone that is larger", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const [small] = yield* someExecutions(tenant, { count: 1, params: {} })
        const [large] = yield* someExecutions(tenant, { count: 1, params: text(900_000) })
        const middling = yield* someExecutions(tenant, { count: 3, params: text(250_000) })

        const shown: Array<ReadonlyArray<string | undefined>> = []
        let cursor = ""
        while (shown.length < 5) {
          const page = yield* getPage(`${executions}?limit=200${cursor}`, tenant.key.key)
          shown.push(page.data.map(({ id }) => id))
          if (page.next_cursor === null) break
          cursor = `&cursor=${page.next_cursor}`
        }

        assert.deepStrictEqual(shown, [middling.slice(0, 2), middling.slice(2), [large], [small]])
      })
    )
  })
})
