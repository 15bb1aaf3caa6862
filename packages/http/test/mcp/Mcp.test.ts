/** `/mcp`, as the protocol's own client uses it. */
import { assert, describe, it } from "@effect/vitest"
import type { Progress } from "@modelcontextprotocol/client"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import { file, makeCapture } from "../runs/Captures.ts"
import { hostOf } from "../Hosts.ts"
import { Host, routes, service, Waiting } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"
import {
  type Asked,
  call,
  connected,
  type Connecting,
  eventually,
  idIn,
  makeRunner,
  often,
  type Person,
  refused,
  textIn
} from "./Model.ts"

const question = { input_key: "a", expires_in_s: 600, on_timeout: "error", mode: "hold" } as const

describe("/mcp", () => {
  it.layer(service, { excludeTestServices: true })((it) => {
    it.effect("queues a call once, tells how far it is, and gives its result with links to its files", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const { next, runner } = yield* makeRunner(tenant)
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
        yield* makeCapture({ runner: tenant.runner, held: work.held }, file)
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
        const tenant = yield* makeTenant()
        const { admin, params } = tenant
        const { next, runner } = yield* makeRunner(tenant)
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
        const misnamed = yield* call(client, "cancel_execution", { execution_id: "it" })
        const unnamed = yield* call(client, "cancel_execution", { id: "it" })
        const calling = yield* Effect.forkChild(call(client, "print"))
        const { held } = yield* next
        yield* runner.complete({
          ...held,
          payload: { ...held.payload, outcome: "error", error: { message: "Out of paper" } }
        })
        const failed = yield* Fiber.join(calling)

        const refusals = [wrong, denied, unserved, gone, misnamed, unnamed]
        assert.isTrue([...refusals, failed].every(({ isError }) => isError === true))
        assert.deepStrictEqual(
          refusals.map((each) => JSON.parse(textIn(each)).code),
          [
            "invalid_params",
            "forbidden",
            "invalid_request",
            "not_found",
            "invalid_request",
            "invalid_request"
          ]
        )
        assert.include(textIn(wrong), '"path":"/copies"')
        assert.deepStrictEqual(
          [misnamed, unnamed].map((each) => JSON.parse(textIn(each)).message),
          ["body.arguments.execution_id: Expected a UUID", "body.arguments.execution_id: is required"]
        )
        assert.include(unknown, "This server has no such tool")
        assert.strictEqual(textIn(failed), "The execution ended as error: Out of paper")
      })
    )

    it.effect.each([{ isStateless: false }, { isStateless: true }])(
      "asks a person what the work asks, wherever each request arrives, stateless: $isStateless",
      ({ isStateless }) =>
        Effect.gen(function* () {
          const tenant = yield* makeTenant()
          const { next, runner } = yield* makeRunner(tenant)
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
          const tenant = yield* makeTenant()
          const { next } = yield* makeRunner(tenant)
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
        const tenant = yield* makeTenant()
        const { next, runner } = yield* makeRunner(tenant)
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
          /^Execution [0-9a-f-]{36} is running\. It is still unfinished: call get_execution/
        )
        assert.match(textIn(asking), /^Execution [0-9a-f-]{36} asks: Go on\?\n.*\{"type":"boolean"\}$/)
        assert.deepStrictEqual(answered.structuredContent, { pages: 1 })
        assert.strictEqual(textIn(over), "The execution has no open question")
      })
    )
  })

  it.layer(service)((it) => {
    it.effect("follows a call for less than a minute, and takes the agent that the URL names", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
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
        assert.include(textIn(result), `Execution ${data[0]?.id} is queued. It is still unfinished`)
        assert.strictEqual(data[0]?.agent_id, other.id)
      })
    )
  })
})
