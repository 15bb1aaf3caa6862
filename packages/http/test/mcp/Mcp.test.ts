/** `/mcp`, as the protocol's own client uses it. */
import { assert, describe, it } from "@effect/vitest"
import type { Progress, RequestOptions } from "@modelcontextprotocol/client"
import type { ExecutionId } from "@runhook/core/domain/Ids"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/testing/TestClock"
import { aCapture, file } from "../runner/Captures.ts"
import { hostOf } from "../Harness.ts"
import { Host, routes, service, Waiting } from "../Service.ts"
import { aTenant, published } from "../Tenant.ts"
import { aRunner, type Asked, type Connecting, connected, type Person } from "./Model.ts"

type Client = Effect.Success<ReturnType<typeof connected>>

const call = (
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  options: RequestOptions = {}
) => Effect.promise(() => client.callTool({ name, arguments: given }, options))

/** A call that fails. */
const refused = (client: Client, name: string, options: RequestOptions = {}) =>
  Effect.map(Effect.flip(Effect.tryPromise(() => client.callTool({ name }, options))), ({ cause }) =>
    String(cause)
  )

type Result = Effect.Success<ReturnType<typeof call>>

const idIn = ({ _meta }: Result) => String(_meta?.["runhook/execution_id"])

const textIn = ({ content: [first] }: Result): string => (first?.type === "text" ? first.text : "")

const often = Schedule.spaced("5 millis")

const eventually = <A, E, R>(look: Effect.Effect<A, E, R>, isSo: (seen: A) => boolean) =>
  Effect.repeat(look, { schedule: often, until: isSo })

/** Requests that wait for a change. */
const waits = Effect.map(
  Metric.value(
    Metric.gauge("runhook_polls_waiting", { description: "Requests that have looked, and wait for a change" })
  ),
  ({ value }) => value
)

const question = { input_key: "a", expires_in_s: 600, on_timeout: "error", mode: "hold" } as const

describe("/mcp", () => {
  it.layer(service, { excludeTestServices: true })((it) => {
    it.effect("lists each task that the key may run as a tool, page by page", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
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

    it.effect("queues a call once, tells how far it is, and gives its result with links to its files", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
        const { next, runner } = yield* aRunner(tenant)
        let sent = 0
        // The first try reaches the service, and its answer is lost.
        const through: Connecting["through"] = (send) => async (input, init) => {
          const answer = await send(input, init)
          if (!String(init?.body).includes("tools/call") || sent++ > 0) return answer
          await answer.body?.cancel()
          return send(input, init)
        }
        const client = yield* connected(tenant, { through })
        const progress: Array<Progress> = []
        const calling = yield* Effect.forkChild(
          call(client, "print", { copies: 2 }, { onprogress: (each) => progress.push(each) })
        )
        const work = yield* next
        const report = { percent: 40, message: "Page 2 of 5" }
        yield* runner.heartbeat({
          payload: {
            session_id: work.session_id,
            beats: [{ execution_id: work.claim.execution_id, epoch: work.claim.epoch, progress: report }]
          }
        })
        yield* eventually(
          Effect.sync(() => progress),
          (told) => told.some(({ message }) => message === "Page 2 of 5")
        )
        yield* aCapture({ runner: tenant.runner, held: work.held }, file)
        yield* runner.complete({
          ...work.held,
          payload: { ...work.held.payload, outcome: "completed", result: { pages: 5 } }
        })
        const result = yield* Fiber.join(calling)
        const { data } = yield* tenant.integration.executions.list({ query: {} })

        assert.deepStrictEqual(work.claim.params, StoredJson.of({ copies: 2 }))
        assert.deepStrictEqual(
          data.map(({ id }) => id),
          [work.claim.execution_id]
        )
        assert.strictEqual(idIn(result), work.claim.execution_id)
        assert.deepStrictEqual(result.structuredContent, { pages: 5 })
        assert.deepStrictEqual(result.content[0], { type: "text", text: '{"pages":5}' })
        assert.deepInclude(result.content[1], {
          type: "resource_link",
          name: "invoice.txt",
          mimeType: "text/plain",
          size: 6
        })
        const link = result.content[1]
        const host = yield* Host
        const opened = yield* host(new URL(link?.type === "resource_link" ? link.uri : "").pathname, {
          headers: { authorization: `Bearer ${tenant.key.key}` }
        })
        assert.strictEqual(opened.status, 302)
        assert.deepStrictEqual(progress.at(-1), { progress: 40, total: 100, message: "Page 2 of 5" })
        assert.isTrue(progress.every((each, index) => each.progress > (progress[index - 1]?.progress ?? 0)))
      })
    )

    it.effect("tells the model why a call is refused or has failed, and the client what no tool is", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
        const { admin, params } = tenant
        const { next, runner } = yield* aRunner(tenant)
        const client = yield* connected(tenant)
        const reading = yield* admin.keys.create({
          params,
          payload: { name: "Looks", capabilities: ["catalog:read"] }
        })
        const nowhere = yield* admin.keys.create({
          params,
          payload: { name: "Nowhere", allowed_agent_ids: [] }
        })

        const wrong = yield* call(client, "print", { copies: "two" })
        const denied = yield* call(yield* connected(tenant, { key: reading.key }), "print")
        const unserved = yield* call(yield* connected(tenant, { key: nowhere.key }), "print")
        const unknown = yield* refused(client, "prints")
        const gone = yield* call(client, "get_execution", {
          execution_id: "00000000-0000-7000-8000-000000000009"
        })
        const unnamed = yield* call(client, "cancel_execution", { execution_id: "it" })
        const calling = yield* Effect.forkChild(call(client, "print"))
        const { held } = yield* next
        yield* runner.complete({
          ...held,
          payload: { ...held.payload, outcome: "error", error: { message: "Out of paper" } }
        })
        const failed = yield* Fiber.join(calling)

        const refusals = [wrong, denied, unserved, gone, unnamed]
        assert.isTrue([...refusals, failed].every(({ isError }) => isError === true))
        assert.deepStrictEqual(
          refusals.map((each) => JSON.parse(textIn(each)).code),
          ["invalid_params", "forbidden", "invalid_request", "not_found", "invalid_request"]
        )
        assert.include(textIn(wrong), '"path":"/copies"')
        assert.include(unknown, "there is no such tool")
        assert.strictEqual(textIn(failed), "The execution ended as error: Out of paper")
      })
    )

    it.effect.each([{ isStateless: false }, { isStateless: true }])(
      "asks a person what the work asks, wherever each request arrives, stateless: $isStateless",
      ({ isStateless }) =>
        Effect.gen(function* () {
          const tenant = yield* aTenant
          const { next, runner } = yield* aRunner(tenant)
          const asked: Array<Asked> = []
          const enters: Person["enters"] = (form) => {
            asked.push(form)
            return { value: "123456" }
          }
          const services = yield* Effect.context<Layer.Success<typeof service>>()
          const other = yield* hostOf(routes.pipe(Layer.provide(Layer.succeedContext(services))))
          const client = yield* connected(tenant, { isStateless, other, person: { enters } })

          const calling = yield* Effect.forkChild(call(client, "print"))
          const { held } = yield* next
          yield* runner.ask({
            ...held,
            payload: {
              ...held.payload,
              ...question,
              prompt: "The code?",
              schema: { type: "string", maxLength: 6 }
            }
          })
          const { data } = yield* tenant.integration.executions
            .inputs(held)
            .pipe(Effect.repeat({ schedule: often, until: ({ data: [first] }) => first?.value !== null }))
          yield* runner.complete({
            ...held,
            payload: { ...held.payload, outcome: "completed", result: { pages: 1 } }
          })
          const result = yield* Fiber.join(calling)

          assert.strictEqual(data[0]?.value, "123456")
          assert.deepStrictEqual(result.structuredContent, { pages: 1 })
          assert.deepStrictEqual(asked, [
            {
              message: "The code?",
              requestedSchema: {
                type: "object",
                properties: { value: { type: "string", maxLength: 6 } },
                required: ["value"]
              }
            }
          ])
        })
    )

    it.effect.each([
      { isStateless: false, reason: "Wrong printer" },
      { isStateless: true, reason: "The client closed the call" }
    ])(
      "stops the work when a call is cancelled, and by a tool, stateless: $isStateless",
      ({ isStateless, reason }) =>
        Effect.gen(function* () {
          const tenant = yield* aTenant
          const { next } = yield* aRunner(tenant)
          const client = yield* connected(tenant, { isStateless })
          const statusOf = (id: ExecutionId) =>
            Effect.map(tenant.integration.executions.get({ params: { id }, query: {} }), (found) =>
              "status" in found ? [found.status, found.status_reason] : []
            )

          const abort = new AbortController()
          const calling = yield* Effect.forkChild(refused(client, "print", { signal: abort.signal }))
          const { claim } = yield* next
          abort.abort("Wrong printer")
          yield* Fiber.join(calling)
          const cancelled = yield* eventually(
            statusOf(claim.execution_id),
            ([status]) => status !== "running"
          )
          yield* Effect.forkChild(call(client, "print"))
          const other = yield* next
          const stopped = yield* call(client, "cancel_execution", { execution_id: other.claim.execution_id })
          const again = yield* call(client, "cancel_execution", { execution_id: other.claim.execution_id })

          assert.deepStrictEqual(cancelled, ["aborted", reason])
          assert.deepStrictEqual([stopped, again].map(textIn), [
            "The execution is aborted",
            "The execution had already ended as aborted"
          ])
        })
    )

    it.effect("answers long work with its id, by which the model follows and answers it", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
        const { next, runner } = yield* aRunner(tenant)
        const client = yield* connected(tenant)
        yield* Effect.forkChild(call(client, "print"))
        const { claim, held } = yield* next
        const given = { execution_id: claim.execution_id }

        const running = yield* call(client, "get_execution", { ...given, wait_seconds: 0 })
        yield* runner.ask({
          ...held,
          payload: { ...held.payload, ...question, prompt: "Go on?", schema: { type: "boolean" } }
        })
        const asking = yield* call(client, "get_execution", { ...given, wait_seconds: 0 })
        const answering = yield* Effect.forkChild(call(client, "answer_execution", { ...given, value: true }))
        yield* Effect.repeat(tenant.integration.executions.inputs(held), {
          schedule: often,
          until: ({ data: [first] }) => first?.value === true
        })
        yield* runner.complete({
          ...held,
          payload: { ...held.payload, outcome: "completed", result: { pages: 1 } }
        })
        const answered = yield* Fiber.join(answering)
        const over = yield* call(client, "answer_execution", { ...given, value: true })

        assert.match(
          textIn(running),
          /^Execution [0-9a-f-]{36} is running\. The work goes on: call get_execution/
        )
        assert.match(textIn(asking), /^Execution [0-9a-f-]{36} asks: Go on\?\n.*\{"type":"boolean"\}$/)
        assert.deepStrictEqual(answered.structuredContent, { pages: 1 })
        assert.strictEqual(textIn(over), "The execution asks nothing")
      })
    )

    it.effect("meets callers as the integration API does, and pages of other sites not at all", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
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
          error: { code: -32_601, message: "method: is none that this server knows" }
        })
      })
    )

    it.effect("ends a call when its key is revoked, and follows nothing once its client has gone", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
        const { admin, params } = tenant
        const { next, runner } = yield* aRunner(tenant)
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

  it.layer(service)((it) => {
    it.effect("follows a call for less than a minute, and takes the agent that the URL names", () =>
      Effect.gen(function* () {
        const tenant = yield* aTenant
        const other = yield* tenant.admin.agents.create({ params: tenant.params, payload: { name: "Other" } })
        const client = yield* connected(tenant, { path: `/mcp?agent_id=${other.id}` })
        const waiting = yield* Waiting
        const calling = yield* Effect.forkChild(call(client, "print"))

        const result = yield* Effect.raceFirst(
          Fiber.join(calling),
          Effect.forever(Effect.andThen(Queue.take(waiting), TestClock.adjust("15 seconds")))
        )
        const { data } = yield* tenant.integration.executions.list({ query: {} })

        assert.isTrue(result.isError)
        assert.include(textIn(result), `Execution ${data[0]?.id} is queued. The work goes on`)
        assert.strictEqual(data[0]?.agent_id, other.id)
      })
    )
  })
})
