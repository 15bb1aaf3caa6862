/** What a runner in Python and the service say to each other, seen by a proxy between them. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { setStage, until } from "../runner/Stage.ts"
import { type Service, shortLeases, startService } from "../service/Service.ts"
import { startPress } from "./Press.ts"
import { python } from "./Python.ts"

let service: Service
beforeAll(async () => {
  if (python === undefined) return
  service = await startService({
    timings: shortLeases
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

describe.runIf(python !== undefined)("a runner in Python behind a proxy", () => {
  it("reports an outcome again until it is acknowledged, by whatever way its answers get lost", async () => {
    const reported: Array<string | undefined> = []
    await using proxy = await behindProxy(service.url, async ({ body, endpoint }, send) => {
      if (!/"outcomes?":/.test(body)) return send()
      reported.push(endpoint?.replace(/^.*\//, ""))
      // The first is answered by somebody else. The second arrives, but its answer does not.
      if (reported.length === 1) return { status: 200, told: "<h1>Please sign in</h1>" }
      const answer = await send()
      return reported.length === 2 ? null : answer
    })
    const stage = await setStage({ service, runnerUrl: proxy.url })
    await using _ = startPress(stage)

    const { attempt, result, status } = await stage.outcome(await stage.queue("print"))
    await until(() => reported.length === 3)

    assert.deepInclude(result, { pages: 6 })
    assert.deepStrictEqual([status, attempt], ["completed", 1])
    assert.deepStrictEqual(reported, ["claims", "complete", "complete"])
  })

  it("calls everything that the contract has", async () => {
    await using older = await anOlderService(service.url)
    const stage = await setStage({ service, runnerUrl: older.url })
    await using press = startPress(stage, { capacity: 2 })
    const id = await stage.queue("everything")
    await stage.client.executions.waitFor(id, { until: "input" })

    // Work that is given in the moment of the drain goes back.
    older.onWork(async () => {
      press.kill("SIGTERM")
      // Its word that it drains is on its way before the work is.
      await until(() => older.draining())
    })
    const late = await stage.queue("print")

    assert.deepStrictEqual(await press.exited, [0, null])
    assert.strictEqual((await stage.outcome(id)).status, "completed")
    assert.strictEqual((await stage.client.executions.get(late)).status, "queued")
    assert.sameMembers([...older.called], endpoints)
  })
})

/** What runners may call. */
const endpoints = Object.values(RunnerApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path}`)

/** The endpoint that a request was for; undefined for uploads. */
const endpointOf = (request: string): string | undefined =>
  endpoints.find((endpoint) => new RegExp(`^${endpoint.replace(/:\w+/g, "[^/]+")}$`).test(request))

/** An answer, as a proxy passes it on; null: the connection breaks in its place. */
type Passed = { readonly status: number; readonly told: string } | null

/** The service behind a proxy, in which a test may come in between. */
const behindProxy = async (
  to: string,
  between: (
    asked: { readonly endpoint: string | undefined; readonly body: string },
    send: () => Promise<NonNullable<Passed>>
  ) => Promise<Passed>
) => {
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "" } = request
    const body = await text(request)
    const passed = await between({ endpoint: endpointOf(`${method} ${url}`), body }, async () => {
      const answer = await fetch(`${to}${url}`, {
        method,
        headers: { authorization: String(request.headers.authorization), "content-type": "application/json" },
        ...(body === "" ? {} : { body })
      })
      return { status: answer.status, told: await answer.text() }
    })
    if (passed === null) return void response.destroy()
    response.writeHead(passed.status, { "content-type": "application/json" }).end(passed.told)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** One that notes what is called, and answers as an older service does, whose work does not begin with its claim. */
const anOlderService = async (to: string) => {
  const called = new Set<string>()
  let onWork = async () => {}
  let isDraining = false
  const proxy = await behindProxy(to, async ({ body, endpoint }, send) => {
    const { status, told } = await send()
    if (body.includes('"draining":true')) isDraining = true
    if (endpoint !== undefined) called.add(endpoint)
    const { outcomes: _, ...older } = told === "" ? {} : JSON.parse(told)
    if (older.claims?.length > 0) await onWork()
    return { status, told: told && JSON.stringify(older) }
  })
  return {
    ...proxy,
    called,
    draining: () => isDraining,
    onWork: (act: () => Promise<void>) => {
      onWork = act
    }
  }
}
