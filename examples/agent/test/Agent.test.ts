import { setTimeout as pause } from "node:timers/promises"
import { type Service, startService } from "@runhook/test-support/world/Service"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type PageServer, report, startPageServer } from "./PageServer.ts"
import { startAgent } from "./Programs.ts"
import { makeBrowserTenant } from "./BrowserTenant.ts"

let site: PageServer
let service: Service
beforeAll(async () => {
  site = await startPageServer()
  service = await startService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

/** Looks until something is so; gives up long before the test does. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let looks = 0; looks < 2_000; looks++) {
    if (await isSo()) return
    await pause(10)
  }
  throw new Error("It never came about")
}

/** A tenant of its own, and an agent process that serves it. */
const served = async (name: string) => {
  const tenant = await makeBrowserTenant(service)
  const agent = startAgent({ url: service.url, runnerKey: tenant.runnerKey, name })
  return { tenant, agent }
}

describe("the agent", () => {
  it("runs an execution and delivers everything it captured", async () => {
    const { agent, tenant } = await served("complete")
    await using _ = agent

    const id = await tenant.visit(`${site.origin}/`)
    const execution = await tenant.outcome(id)

    assert.strictEqual(execution.status, "completed", execution.error_message ?? "")
    assert.deepInclude(execution.result, { title: "Quarterly report", http_status: 200, links: 2 })
    const { downloads, prints, screenshots, videos } = await tenant.artifacts(id)
    const [download, print, screenshot] = await Promise.all(
      [...downloads, ...prints, ...screenshots].map(tenant.bytesOf)
    )
    assert.deepStrictEqual(download, report)
    assert.strictEqual(print?.subarray(0, 5).toString(), "%PDF-")
    assert.strictEqual(screenshot?.subarray(1, 4).toString(), "PNG")
    assert.strictEqual(videos.length, 1)
    const video = await fetch(videos[0]?.signed_url ?? "")
    assert.strictEqual(Buffer.from(await video.arrayBuffer()).readUInt32BE(0), 0x1a45dfa3, "no WebM file")
  })

  it("stops the work when its execution is cancelled, and takes the next", async () => {
    const { agent, tenant } = await served("cancel")
    await using _ = agent
    const stuck = await tenant.visit(`${site.origin}/never?cancel`)
    await until(() => site.asked.includes("/never"))

    await tenant.cancel(stuck)

    const next = await tenant.outcome(await tenant.visit(`${site.origin}/plain`))
    assert.strictEqual(next.status, "completed", next.error_message ?? "")
    assert.strictEqual((await tenant.outcome(stuck)).status, "aborted")
  })

  it("ends what it was doing when it comes back after a crash", async () => {
    const { agent, tenant } = await served("crash")
    await using _ = agent
    const before = site.asked.filter((path) => path === "/never").length
    const id = await tenant.visit(`${site.origin}/never?crash`)
    await until(() => site.asked.filter((path) => path === "/never").length > before)

    agent.signal("SIGKILL")
    await agent.ended
    await using _again = startAgent({ url: service.url, runnerKey: tenant.runnerKey, name: "crash" })

    const execution = await tenant.outcome(id)
    assert.strictEqual(execution.status, "error")
    assert.include(execution.error_message, "restarted")
  })

  it("says what was wrong with a page that cannot be reached", async () => {
    const { agent, tenant } = await served("refused")
    await using _ = agent

    const execution = await tenant.outcome(await tenant.visit("http://127.0.0.1:1/"))

    assert.strictEqual(execution.status, "error")
    assert.isNotEmpty(execution.error_message)
  })

  it("leaves cleanly when it is asked to stop", async () => {
    const { agent, tenant } = await served("leave")
    await using _ = agent
    await until(async () => (await tenant.runners()) === 1)

    agent.signal("SIGTERM")

    assert.strictEqual(await agent.ended, 0)
    assert.strictEqual(await tenant.runners(), 0)
  })
})
