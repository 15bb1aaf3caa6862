import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { startProxy } from "@runhook/test-support/receivers/Proxy"
import { wireTo } from "@runhook/test-support/receivers/Wire"
import { assert, describe, it } from "vitest"
import { sharedService, startService } from "@runhook/test-support/world/Service"
import { makeHeldWork, makeSdkTenant, until } from "./SdkTenant.ts"

/** Databases are made and started. */
const databaseTimeoutMs = 180_000

const service = await sharedService()

describe("a runner", () => {
  it("goes on when the service was away, and says so once", async () => {
    await using wire = await wireTo(service.url)
    const tenant = await makeSdkTenant({ service, runnerUrl: wire.url })
    const work = makeHeldWork()
    await using runner = tenant.runner({ print: work.print })
    await runner.start()
    const id = await tenant.queue("print")
    await work.begun

    wire.cut()
    await until(() => runner.problems.length > 0)
    work.end()
    wire.mend(service.url)

    assert.strictEqual((await tenant.outcome(id)).status, "completed")
    const next = await tenant.outcome(await tenant.queue("print"))
    assert.strictEqual(next.status, "completed")
    assert.deepStrictEqual(
      runner.problems.map(({ kind }) => kind),
      ["service_away"]
    )
  })

  it("gets the work of an answer in whose place another was sent", async () => {
    await using stranger = await startStranger(service.url)
    const tenant = await makeSdkTenant({ service, runnerUrl: stranger.url })
    await using runner = tenant.runner({ print: async () => ({ pages: 1 }) })
    await runner.start()

    const { attempt, status } = await tenant.outcome(await tenant.queue("print"))

    assert.strictEqual(stranger.answers(), 1)
    assert.deepStrictEqual([status, attempt], ["completed", 1])
  })

  it(
    "goes on with its work when the service was started anew in the middle of it",
    { timeout: databaseTimeoutMs },
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "runhook-restart-"))
      const options = { directory }
      try {
        const first = await startService(options)
        await using wire = await wireTo(first.url)
        const tenant = await makeSdkTenant({ service: first, runnerUrl: wire.url, clientUrl: wire.url })
        const work = makeHeldWork()
        await using runner = tenant.runner({ print: work.print })
        await runner.start()
        const id = await tenant.queue("print")
        await work.begun

        wire.cut()
        await first[Symbol.asyncDispose]()
        await using second = await startService(options)
        wire.mend(second.url)
        work.end()

        const { attempt, status } = await tenant.outcome(id)
        assert.deepStrictEqual([status, attempt], ["completed", 1])
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    }
  )

  it("lets work finish when its process is asked to end", async () => {
    const tenant = await makeSdkTenant({ service })
    const program = spawn(process.execPath, [fileURLToPath(new URL("./Program.ts", import.meta.url))], {
      env: { PATH: process.env["PATH"], RUNHOOK_URL: service.url, RUNHOOK_RUNNER_KEY: tenant.runnerKey },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const said = text(program.stdout)
      const exited = once(program, "exit")
      const id = await tenant.queue("print")
      const { input_request } = await tenant.client.executions.waitFor(id, { until: "input" })
      assert(input_request)

      program.kill("SIGTERM")
      await until(
        async () => (await tenant.client.agents.list().toArray({ limit: 1 }))[0]?.status === "draining"
      )
      const answer = { execution_id: id, input_id: input_request.input_id }
      await tenant.client.executions.answer(answer, { value: "1234" })

      assert.deepStrictEqual((await tenant.outcome(id)).result, { code: "1234" })
      assert.deepStrictEqual(await exited, [0, null])
      assert.include(await said, "left")
      assert.strictEqual(await tenant.runners(), 0)
    } finally {
      program.kill("SIGKILL")
    }
  })
})

/** Sends a page of its own in place of the first answer that brought work. */
const startStranger = async (to: string) => {
  let answers = 0
  const proxy = await startProxy(
    () => to,
    async ({ path }, send) => {
      const answer = await send()
      if (answers > 0 || !path.endsWith("/claims") || JSON.parse(answer.told).claims.length === 0)
        return answer
      answers += 1
      return { status: 200, headers: { "content-type": "text/html" }, told: "<h1>Please sign in</h1>" }
    }
  )
  return { ...proxy, answers: () => answers }
}
