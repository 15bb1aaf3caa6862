/** Every endpoint of the contract, through all clients and by hand, side by side. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as SdkEffect from "../../src/effect/Runhook.ts"
import { InvalidParamsError } from "../../src/Runhook.ts"
import { compileTimeout, go, type GoProcess, startGo } from "../go/Go.ts"
import { python, type PythonMode, type PythonProcess, startPython } from "../python/Python.ts"
import { accountWays } from "./AccountWays.ts"
import { executionWays } from "./ExecutionWays.ts"
import { namesIn, type Ways } from "./Ways.ts"
import { webhookWays } from "./WebhookWays.ts"
import { type Everything, finishedReplay, makeEverything } from "./Everything.ts"

let world: Everything
let ofPython: PythonProcess | undefined
let ofGo: GoProcess | undefined
beforeAll(async () => {
  world = await makeEverything()
  ofPython = python === undefined ? undefined : startPython(python)
  const expressions = Object.values(waysIn(world)).map((way) => way().go)
  ofGo = go === undefined ? undefined : await startGo(go, expressions)
}, compileTimeout)
afterAll(async () => {
  await ofPython?.[Symbol.asyncDispose]()
  await ofGo?.[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const waysIn = (everything: Everything) => ({
  ...executionWays(everything),
  ...webhookWays(everything),
  ...accountWays(everything)
})

/** What is made for one answer alone. */
const ofOneAnswer = new Set([
  "request_id",
  "event_id",
  "delivery_id",
  "idempotent_replay",
  "already_finished"
])

const comparable = (body: unknown, own: ReadonlyArray<string> = []): unknown =>
  typeof body === "object" && body !== null
    ? Object.fromEntries(
        Object.entries(body).filter(([name]) => !own.includes(name) && !ofOneAnswer.has(name))
      )
    : body

/** The body of an answer by hand, its redirect followed as a caller without the client would. */
const bodyOf = async (answer: Response): Promise<unknown> => {
  if (answer.status === 204) return undefined
  const location = answer.headers.get("location")
  return location === null ? answer.json() : (await fetch(location)).text()
}

const isRemoval = (endpoint: string) => Number(endpoint.startsWith("DELETE "))

/** What is removed has been looked at before. */
const endpoints = Object.values(IntegrationApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path.replace("/api/v1/integrations", "")}`)
  .toSorted((one, other) => isRemoval(one) - isRemoval(other))

/** What the client for Effect says. */
const inEffect = (call: Ways["effect"]) =>
  Effect.flatMap(SdkEffect.Runhook, call).pipe(
    Effect.provide(
      SdkEffect.Runhook.layer({
        baseUrl: world.service.url,
        apiKey: Redacted.make(world.tenant.apiKey),
        retries: 0
      }).pipe(Layer.provide(FetchHttpClient.layer))
    ),
    Effect.runPromise
  )

/** What the clients for Python say, if there is a Python. */
const inPython = async (call: string): Promise<ReadonlyArray<unknown>> => {
  const asked = (["sync", "async"] satisfies ReadonlyArray<PythonMode>).map((mode) =>
    ofPython?.call({
      mode,
      call,
      names: namesIn(world, mode === "sync" ? "byPython" : "byAsyncPython"),
      options: { base_url: world.service.url, api_key: world.tenant.apiKey, retries: 0 }
    })
  )
  const answers = await Promise.all(asked)
  return answers.flatMap((answer) => {
    if (answer === undefined) return []
    assert.notProperty(answer, "error", JSON.stringify(answer.error))
    return answer.value === null ? [undefined] : [answer.value]
  })
}

/** What the client for Go says, if there is a Go. */
const inGo = async (call: string): Promise<ReadonlyArray<unknown>> => {
  const answer = await ofGo?.call({
    call,
    given: namesIn(world, "byGo"),
    options: { base_url: world.service.url, api_key: world.tenant.apiKey, retries: 0 }
  })
  if (answer === undefined) return []
  assert.notProperty(answer, "error", JSON.stringify(answer.error))
  return [answer.value]
}

const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Its times leave out zeros at their end. */
const withWholeTimes = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (_, value: unknown) =>
    typeof value === "string" && instant.test(value) ? new Date(value).toISOString() : value
  )

/** Its classes have all fields of an object, of which the absent ones are None. */
const withoutNull = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (_, value: unknown) => value ?? undefined)

describe("the clients", () => {
  it.each(endpoints)("answer %s as HTTP does", async (endpoint) => {
    const way = waysIn(world)[endpoint]
    assert(way, `the clients have no method for ${endpoint}`)
    const { client, effect, go: expression, own, python: call, raw } = way()

    const bodies = [await client(), await inEffect(effect)]
    const bodiesOfPython = await inPython(call)
    const bodiesOfGo = await inGo(expression)

    const answer = await bodyOf(await world.service.raw({ key: world.tenant.apiKey, ...raw }))
    const expected = comparable(answer, own)
    assert.deepStrictEqual(
      bodies.map((body) => comparable(body, own)),
      [expected, expected]
    )
    assert.deepStrictEqual(
      bodiesOfPython.map((body) => withoutNull(comparable(body, own))),
      bodiesOfPython.map(() => withoutNull(expected))
    )
    assert.deepStrictEqual(
      bodiesOfGo.map((body) => withWholeTimes(withoutNull(comparable(body, own)))),
      bodiesOfGo.map(() => withWholeTimes(withoutNull(expected)))
    )
  })
})

describe("the client", () => {
  it("has all deliveries that match sent again", async () => {
    const { runhook, settled } = world
    const filter = { q: settled.shown, status: ["delivered"] } as const
    const { would_replay } = await runhook.deliveries.wouldReplay(filter)
    const { id } = await runhook.deliveries.replayAll(filter)

    const ended = await finishedReplay(runhook, id)

    assert.strictEqual(would_replay, 1)
    assert.deepInclude(ended, { status: "completed", expected: 1, replayed: 1 })
    assert.strictEqual((await runhook.deliveries.get(settled.shown)).round, 2)
  })

  it("checks a request without queuing it", async () => {
    const { request, runhook } = world
    const before = await runhook.executions.list().toArray({ limit: 200 })

    const { status, would_create } = await runhook.executions.validate(request)

    assert.deepStrictEqual([status, would_create], ["would_create", true])
    assert.strictEqual((await runhook.executions.list().toArray({ limit: 200 })).length, before.length)
  })

  it("gives the service's refusals as they are", async () => {
    const { request, runhook, service, tenant } = world
    const body = { ...request, params: { copies: "many" } }

    const error: unknown = await runhook.executions.create(body).catch((cause: unknown) => cause)

    const answer = await service.raw({ key: tenant.apiKey, path: "/integrations/executions", body })
    const { error: refusal } = JSON.parse(await answer.text())
    assert.instanceOf(error, InvalidParamsError)
    assert.deepStrictEqual(
      [error.status, error.code, error.message, error.details],
      [answer.status, refusal.code, refusal.message, refusal.details]
    )
  })
})
