/** Who may use `/mcp`, and for how long. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { jsonOf } from "../Hosts.ts"
import { Host, service } from "../Service.ts"
import { makeTenant, published } from "../Tenant.ts"
import { connected, eventually, makeRunner, refused } from "./Model.ts"

/** Requests that wait for a change. */
const waits = Effect.map(
  Metric.value(
    Metric.gauge("runhook_polls_waiting", { description: "Requests that have looked, and wait for a change" })
  ),
  ({ value }) => value
)

describe("/mcp", () => {
  it.layer(service, { excludeTestServices: true })((it) => {
    it.effect("lists each task that the key may run as a tool, page by page", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const { admin, params, task } = tenant
        yield* Effect.forEach(
          Array.from({ length: 30 }, (_, index) => index),
          (index) =>
            Effect.gen(function* () {
              const { id } = yield* admin.tasks.create({
                params,
                payload: { slug: `task-${index}`, name: "A task" }
              })
              yield* published(admin, {
                params: { ...params, task_id: id },
                payload: {
                  params_schema: {
                    $schema: "https://json-schema.org/draft/2020-12/schema",
                    properties: { any: true }
                  }
                }
              })
            })
        )
        yield* admin.tasks.create({ params, payload: { slug: "unpublished", name: "Not yet" } })
        const one = yield* admin.keys.create({
          params,
          payload: { name: "One", allowed_task_ids: [task.id] }
        })
        const listOf = Effect.fnUntraced(function* (key: string) {
          const client = yield* connected(tenant, { key })
          const names: Array<string> = []
          for (let cursor: string | undefined; ;) {
            const page = yield* Effect.promise(() => client.listTools(cursor === undefined ? {} : { cursor }))
            names.push(...page.tools.map(({ name }) => name))
            cursor = page.nextCursor
            if (cursor === undefined) return { names, last: page.tools.at(-1) }
          }
        })

        const all = yield* listOf(tenant.key.key)
        const few = yield* listOf(one.key)

        assert.strictEqual(all.names.length, 34)
        assert.notInclude(all.names, "unpublished")
        assert.deepStrictEqual(few.names, ["get_execution", "answer_execution", "cancel_execution", "print"])
        assert.deepInclude(few.last, {
          name: "print",
          title: "Print",
          inputSchema: { type: "object", properties: { copies: { type: "integer", default: 1 } } },
          outputSchema: { type: "object", required: ["pages"] }
        })
      })
    )

    it.effect("meets callers as the integration API does, and pages of other sites not at all", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const host = yield* Host
        const send = (
          headers: Record<string, string> = {},
          body: unknown = { jsonrpc: "2.0", id: 1, method: "ping" }
        ) =>
          host("/mcp", {
            method: "POST",
            headers: {
              authorization: `Bearer ${tenant.key.key}`,
              "content-type": "application/json",
              accept: "application/json, text/event-stream",
              ...headers
            },
            body: JSON.stringify(body)
          })
        const limited = yield* tenant.admin.keys.create({
          params: tenant.params,
          payload: { name: "Slow", rate_limit: { per_second: 1, burst: 1 } }
        })
        const slow = { authorization: `Bearer ${limited.key}` }

        const answers = yield* Effect.all([
          send(),
          send({ authorization: "Bearer rhlive_no_key" }),
          send({ origin: "https://elsewhere.example" }),
          send({ origin: "http://localhost" }),
          send({ "mcp-protocol-version": "1999-01-01" }),
          send({}, { jsonrpc: "2.0", id: 1, method: "resources/list" }),
          send({}, { jsonrpc: "1.0" }),
          send({}, [{ jsonrpc: "2.0", id: 1, method: "ping" }]),
          send(
            { accept: "application/json" },
            { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "print" } }
          ),
          send(slow),
          send(slow),
          host("/mcp", { headers: { authorization: `Bearer ${tenant.key.key}` } }),
          host("/mcp", {
            method: "OPTIONS",
            headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" }
          })
        ])

        const listed = yield* send(
          {},
          { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "print", arguments: [1] } }
        )

        assert.include(yield* Effect.promise(() => listed.text()), "body.arguments: Expected object")
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 401, 403, 200, 400, 200, 400, 400, 406, 200, 429, 405, 204]
        )
        assert.isTrue(answers.every(({ headers }) => headers.get("access-control-allow-origin") === null))
        assert.isNotNull(answers[0]?.headers.get("ratelimit-remaining"))
        const bodies = yield* Effect.forEach(answers.slice(0, 7), (each) =>
          Effect.map(
            Effect.promise(() => each.text()),
            (text) => JSON.parse(text)
          )
        )
        assert.deepInclude(bodies[2].error, { code: "forbidden", details: { reason: "cross_site" } })
        assert.deepInclude(bodies[5], {
          id: 1,
          error: { code: -32_601, message: "This server has no method resources/list" }
        })
      })
    )

    it.effect("refuses ids and progress tokens that are long, since every message to come repeats them", () =>
      Effect.gen(function* () {
        const { key } = yield* makeTenant()
        const host = yield* Host
        const send = (message: object) =>
          host("/mcp", {
            method: "POST",
            headers: {
              authorization: `Bearer ${key.key}`,
              accept: "application/json, text/event-stream",
              "content-type": "application/json"
            },
            body: JSON.stringify({ jsonrpc: "2.0", ...message })
          })
        const [longest, longer] = ["x".repeat(255), "x".repeat(256)]
        const ping = { id: 1, method: "ping" }
        const rule = "must be a text of at most 255 characters, or a whole number"
        const inMeta = (progressToken: unknown) => ({ ...ping, params: { _meta: { progressToken } } })

        for (const taken of [{ ...ping, id: longest }, inMeta(longest), inMeta(7), inMeta(null)]) {
          assert.strictEqual((yield* send(taken)).status, 200)
        }
        for (const [body, field] of [
          [{ ...ping, id: longer }, "id"],
          [{ ...ping, id: 1.5 }, "id"],
          [{ ...ping, id: null }, "id"],
          [{ id: longer, result: {} }, "id"],
          [inMeta(longer), "params._meta.progressToken"],
          [inMeta({ text: longer }), "params._meta.progressToken"]
        ] as const) {
          const answer = yield* send(body)
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(yield* jsonOf(answer), {
            jsonrpc: "2.0",
            id: null,
            error: { code: -32_600, message: `${field}: ${rule}` }
          })
        }
      })
    )

    it.effect("ends a call when its key is revoked, and follows nothing once its client has gone", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const { admin, params } = tenant
        const { next, runner } = yield* makeRunner(tenant)
        const before = yield* waits
        const other = yield* admin.keys.create({ params, payload: { name: "Other" } })
        const client = yield* connected(tenant, { key: other.key })
        const calling = yield* Effect.forkChild(refused(client, "print"))
        const { held } = yield* next
        yield* admin.keys.revoke({ params: { ...params, key_id: other.id } })
        const ended = yield* Fiber.join(calling)
        yield* runner.complete({ ...held, payload: { ...held.payload, outcome: "cancelled" } })

        const leaving = yield* connected(tenant)
        yield* Effect.forkChild(Effect.exit(Effect.tryPromise(() => leaving.callTool({ name: "print" }))))
        const { claim } = yield* next
        const following = yield* eventually(waits, (count) => count > before)
        yield* Effect.promise(() => leaving.close())
        const after = yield* eventually(waits, (count) => count === before)
        const found = yield* tenant.integration.executions.get({
          params: { id: claim.execution_id },
          query: {}
        })

        assert.include(ended, "A valid key is required")
        assert.deepStrictEqual([following, after], [before + 1, before])
        assert.deepInclude(found, { status: "running" })
      })
    )
  })
})
