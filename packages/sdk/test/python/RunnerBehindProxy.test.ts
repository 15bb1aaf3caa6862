/** What a runner in Python and the service say to each other, seen by a proxy between them. */
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { startProxy } from "@runhook/test-support/receivers/Proxy"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, shortLeases, startService } from "@runhook/test-support/world/Service"
import { makeSdkTenant, until } from "../runner/SdkTenant.ts"
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
    const reported: Array<string> = []
    await using proxy = await startProxy(
      () => service.url,
      async ({ body, path }, send) => {
        if (!/"outcomes?":/.test(body)) return send()
        reported.push(path.replace(/^.*\//, ""))
        // The first is answered by somebody else. The second arrives, but its answer does not.
        if (reported.length === 1) return { status: 200, told: "<h1>Please sign in</h1>" }
        const answer = await send()
        return reported.length === 2 ? null : answer
      }
    )
    const tenant = await makeSdkTenant({ service, runnerUrl: proxy.url })
    await using _ = startPress(tenant)

    const { attempt, result, status } = await tenant.outcome(await tenant.queue("print"))
    await until(() => reported.length === 3)

    assert.deepInclude(result, { pages: 6 })
    assert.deepStrictEqual([status, attempt], ["completed", 1])
    assert.deepStrictEqual(reported, ["claims", "complete", "complete"])
  })

  it("calls everything that the contract has", async () => {
    await using older = await startOlderService(service.url)
    const tenant = await makeSdkTenant({ service, runnerUrl: older.url })
    await using press = startPress(tenant, { capacity: 2 })
    const id = await tenant.queue("everything")
    await tenant.client.executions.waitFor(id, { until: "input" })

    // Work that is given in the moment of the drain goes back.
    older.onWork(async () => {
      press.kill("SIGTERM")
      // Its word that it drains is on its way before the work is.
      await until(() => older.draining())
    })
    const late = await tenant.queue("print")

    assert.deepStrictEqual(await press.exited, [0, null])
    assert.strictEqual((await tenant.outcome(id)).status, "completed")
    assert.strictEqual((await tenant.client.executions.get(late)).status, "queued")
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

/** One that notes what is called, and answers as an older service does, whose work does not begin with its claim. */
const startOlderService = async (to: string) => {
  const called = new Set<string>()
  let onWork = async () => {}
  let isDraining = false
  const proxy = await startProxy(
    () => to,
    async ({ body, method, path }, send) => {
      const endpoint = endpointOf(`${method} ${path}`)
      const { status, told } = await send()
      if (body.includes('"draining":true')) isDraining = true
      if (endpoint !== undefined) called.add(endpoint)
      const { outcomes: _, ...older } = told === "" ? {} : JSON.parse(told)
      if (older.claims?.length > 0) await onWork()
      return { status, told: told && JSON.stringify(older) }
    }
  )
  return {
    ...proxy,
    called,
    draining: () => isDraining,
    onWork: (act: () => Promise<void>) => {
      onWork = act
    }
  }
}
