import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import { CurrentResponseBudget, ResponseBudget, responseLimits } from "../../src/limits/ResponseBudget.ts"
import * as NodeServer from "../../src/NodeServer.ts"
import { requestIds } from "../Hosts.ts"
import { exchange, open } from "../RawConnection.ts"
import { routes, service } from "../Service.ts"
import { makeExecution, makeSession, makeTenant, type Tenant } from "../Tenant.ts"

const mebibyte = 1024 * 1024
const inFlight = { account: 4 * mebibyte, process: 16 * mebibyte }

/** The service on a port of this machine, with little room, and what it counts. */
const makePort = Effect.fnUntraced(function* () {
  const budget = new ResponseBudget({ ...responseLimits, inFlight })
  const services = yield* NodeServer.layer(routes, { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide([Layer.succeed(CurrentResponseBudget, budget), requestIds]),
    Layer.build
  )
  const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
  return { budget, port: Number(new URL(url).port) }
})

const executions = "/api/v1/integrations/executions"

const asking = (path: string, key: string, rest = "") =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${rest}\r\n`

/** An answer, from its first line to its last. */
const answerTo = (port: number, path: string, key: string, rest = "") =>
  exchange(port, asking(path, key, `Connection: close\r\n${rest}`))

/** An execution of the tenant's whose params have most of a mebibyte. */
const makeLargeExecution = Effect.fnUntraced(function* ({ agent, integration, task }: Tenant) {
  const payload = { agent_id: agent.id, task_id: task.id, params: { text: "x".repeat(1_000_000) } }
  const created = yield* integration.executions.create({ params: {}, headers: {}, query: {}, payload })
  return "execution_id" in created ? created.execution_id : yield* Effect.die("it was not created")
})

/** A connection that takes nothing of what it is answered. */
const deaf = Effect.fnUntraced(function* (port: number) {
  const socket: Socket = yield* open(port)
  return socket.pause().on("error", () => {})
})

/** Asks again until all answers begin so. */
const until = (ask: Effect.Effect<ReadonlyArray<string>>, beginning: RegExp) =>
  Effect.repeat(ask, { until: (answers) => answers.every((each) => beginning.test(each)), times: 20 })

const isOver = /^HTTP\/1\.1 429 /
const isServed = /^HTTP\/1\.1 200 /

const assertRefused = (answer: string) => {
  assert.match(answer, isOver)
  assert.match(answer, /\r\nretry-after: 1\r\n/i)
  assert.match(answer, /\r\nratelimit-remaining: \d+\r\n/i)
  assert.notMatch(answer, /\r\netag:/i)
  const id = /\r\nx-request-id: (req_\w+)\r\n/i.exec(answer)?.[1]
  assert.deepStrictEqual(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))), {
    error: {
      code: "rate_limited",
      message: "Too many large answers to this account are under way: read those first",
      details: { reason: "large_answers", limit: inFlight.account },
      request_id: id
    }
  })
}

describe("Large answers that nobody takes", () => {
  it.layer(service, { excludeTestServices: true })((it) => {
    for (const [what, pathOf] of [
      ["executions", (id: string) => `${executions}/${id}`],
      ["long pages", () => `${executions}?limit=200`]
    ] as const) {
      it.effect(`keep their account from more of them, and no other: ${what}`, () =>
        Effect.gen(function* () {
          const { budget, port } = yield* makePort()
          const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
          const id = yield* makeLargeExecution(tenant)
          yield* makeLargeExecution(tenant)
          const othersId = yield* makeLargeExecution(other)
          const [path, key] = [`${executions}/${id}`, tenant.key.key]

          const sockets = yield* Effect.all(Array.from({ length: 6 }, () => deaf(port)))
          // The first megabytes of each lie in the socket, and only then in memory.
          const askAll = Effect.sync(() => sockets.forEach((each) => each.write(asking(pathOf(id), key))))
          const large = [path, `${executions}?limit=200`].map((each) => answerTo(port, each, key))
          const refusals = yield* until(Effect.andThen(askAll, Effect.all(large)), isOver)
          const small = yield* answerTo(port, "/api/v1/integrations/tasks", key)
          const others = yield* answerTo(port, `${executions}/${othersId}`, other.key.key)
          const operators = yield* answerTo(
            port,
            `/api/v1/admin/accounts/${tenant.account.id}/executions/${id}`,
            adminKey
          )
          for (const socket of sockets) socket.destroy()
          const [served = ""] = yield* until(Effect.all([answerTo(port, path, key)]), isServed)
          yield* Effect.repeat(answerTo(port, "/livez", key), { until: () => budget.total === 0, times: 20 })

          for (const refusal of refusals) assertRefused(refusal)
          for (const answer of [small, others, operators, served]) assert.match(answer, isServed)
          assert.include(served, "x".repeat(1_000_000))
          assert.strictEqual(budget.total, 0)
        })
      )
    }

    it.effect("keep a runner from asking for work, which would be lost, and not from its sign of life", () =>
      Effect.gen(function* () {
        const { budget, port } = yield* makePort()
        const tenant = yield* makeTenant()
        const session = yield* makeSession(tenant)
        yield* makeExecution(tenant)
        budget.add(tenant.account.id, inFlight.account)
        const post = (path: string, body: object) => {
          const text = JSON.stringify(body)
          const head = `Authorization: Bearer ${tenant.runnerKey.key}\r\nContent-Type: application/json\r\nConnection: close`
          return exchange(
            port,
            `POST /api/v1/runner/${path} HTTP/1.1\r\nHost: localhost\r\n${head}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
          )
        }
        const claim = { session_id: session.session_id, claim_id: "claim-1", free_slots: 4, wait_ms: 0 }

        const refusal = yield* post("claims", claim)
        const beat = yield* post("heartbeats", { session_id: session.session_id, beats: [] })
        budget.add(tenant.account.id, -inFlight.account)
        const claimed = yield* post("claims", claim)

        assertRefused(refusal)
        assert.match(beat, isServed)
        assert.match(claimed, isServed)
        assert.include(claimed, `"slug":"print"`)
      })
    )

    it.effect("count nothing when they have no body, or were taken", () =>
      Effect.gen(function* () {
        const { budget, port } = yield* makePort()
        const tenant = yield* makeTenant()
        const path = `${executions}/${yield* makeLargeExecution(tenant)}`
        const key = tenant.key.key

        const whole = yield* answerTo(port, path, key)
        const etag = /\r\netag: (\S+)\r\n/i.exec(whole)?.[1] ?? ""
        const known = yield* answerTo(port, path, key, `If-None-Match: ${etag}\r\n`)
        const head = yield* exchange(port, asking(path, key, "Connection: close\r\n").replace("GET", "HEAD"))

        assert.match(whole, /\r\ncontent-length: 1000\d{3}\r\n/i)
        assert.match(known, /^HTTP\/1\.1 304 /)
        assert.match(head, /\r\ncontent-length: 1000\d{3}\r\n/i)
        assert.isTrue(head.endsWith("\r\n\r\n"))
        assert.strictEqual(budget.total, 0)
      })
    )
  })
})
