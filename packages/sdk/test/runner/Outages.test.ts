import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { startService } from "../service/Service.ts"
import { sharedService } from "../service/SharedService.ts"
import { openGate } from "./Gate.ts"
import { moment, setStage, until } from "./Stage.ts"

/** Databases are made and started. */
const databaseTimeoutMs = 180_000

const service = await sharedService()

describe("a runner", () => {
  it("goes on when the service was away, and says so once", async () => {
    await using gate = await openGate(service.url)
    const stage = await setStage({ service, runnerUrl: gate.url })
    const [begun, finishes] = [moment(), moment()]
    await using runner = stage.runner({
      print: async () => {
        begun.come()
        await finishes.comes
        return { pages: 1 }
      }
    })
    await runner.start()
    const id = await stage.queue("print")
    await begun.comes

    gate.close()
    await until(() => runner.problems.length > 0)
    finishes.come()
    gate.open(service.url)

    assert.strictEqual((await stage.outcome(id)).status, "completed")
    const next = await stage.outcome(await stage.queue("print"))
    assert.strictEqual(next.status, "completed")
    assert.deepStrictEqual(
      runner.problems.map(({ kind }) => kind),
      ["service_away"]
    )
  })

  it("gets the work of an answer in whose place another was sent", async () => {
    await using stranger = await aStranger(service.url)
    const stage = await setStage({ service, runnerUrl: stranger.url })
    await using runner = stage.runner({ print: async () => ({ pages: 1 }) })
    await runner.start()

    const { attempt, status } = await stage.outcome(await stage.queue("print"))

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
        await using gate = await openGate(first.url)
        const stage = await setStage({ service: first, runnerUrl: gate.url, clientUrl: gate.url })
        const [begun, finishes] = [moment(), moment()]
        await using runner = stage.runner({
          print: async () => {
            begun.come()
            await finishes.comes
            return { pages: 1 }
          }
        })
        await runner.start()
        const id = await stage.queue("print")
        await begun.comes

        gate.close()
        await first[Symbol.asyncDispose]()
        await using second = await startService(options)
        gate.open(second.url)
        finishes.come()

        const { attempt, status } = await stage.outcome(id)
        assert.deepStrictEqual([status, attempt], ["completed", 1])
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    }
  )

  it("lets work finish when its process is asked to end", async () => {
    const stage = await setStage({ service })
    const program = spawn(process.execPath, [fileURLToPath(new URL("./Program.ts", import.meta.url))], {
      env: { PATH: process.env["PATH"], RUNHOOK_URL: service.url, RUNHOOK_RUNNER_KEY: stage.runnerKey },
      stdio: ["ignore", "pipe", "inherit"]
    })
    try {
      const said = text(program.stdout)
      const exited = once(program, "exit")
      const id = await stage.queue("print")
      const { input_request } = await stage.client.executions.waitFor(id, { until: "input" })
      assert(input_request)

      program.kill("SIGTERM")
      await until(
        async () => (await stage.client.agents.list().toArray({ limit: 1 }))[0]?.status === "draining"
      )
      const answer = { execution_id: id, input_id: input_request.input_id }
      await stage.client.executions.answer(answer, { value: "1234" })

      assert.deepStrictEqual((await stage.outcome(id)).result, { code: "1234" })
      assert.deepStrictEqual(await exited, [0, null])
      assert.include(await said, "left")
      assert.strictEqual(await stage.runners(), 0)
    } finally {
      program.kill("SIGKILL")
    }
  })
})

/** A proxy that hands on whatever it is sent and told, but sends a page of its own for the first claim that brought work. */
const aStranger = async (to: string) => {
  let answers = 0
  const server = createServer(async (request, response) => {
    const { method = "GET", url } = request
    const headers = {
      authorization: String(request.headers.authorization),
      "content-type": "application/json"
    }
    const body = await text(request)
    const answer = await fetch(`${to}${url}`, { method, headers, ...(body === "" ? {} : { body }) })
    const told = await answer.text()
    if (answers === 0 && url?.endsWith("/claims") && JSON.parse(told).claims.length > 0) {
      answers += 1
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Please sign in</h1>")
    } else {
      response.writeHead(answer.status, { "content-type": "application/json" }).end(told)
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`,
    answers: () => answers,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}
