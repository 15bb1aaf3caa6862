/** The runner of docs/agents does what the page says. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type Service, startService } from "../service/Service.ts"
import { setStage } from "./Stage.ts"

const guide = new URL("../../../../docs/agents/README.md", import.meta.url)
const sdk = fileURLToPath(new URL("../../", import.meta.url))

let service: Service
let directory: string
beforeAll(async () => {
  service = await startService()
  directory = await mkdtemp(join(tmpdir(), "runhook-guide-"))
  await mkdir(join(directory, "node_modules", "@runhook"), { recursive: true })
  await symlink(sdk, join(directory, "node_modules", "@runhook", "sdk"))
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

it("serves the task of the guide, and leaves when it is told to", { timeout: 60_000 }, async () => {
  const [, example = ""] = /```ts\n([^]*?)```/.exec(await readFile(guide, "utf8")) ?? []
  const program = join(directory, "runner.mts")
  await writeFile(program, example)
  const stage = await setStage({ service })
  const runner = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], RUNHOOK_BASE_URL: service.url, RUNHOOK_RUNNER_KEY: stage.runnerKey },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const exited = once(runner, "exit")
    const log = text(runner.stdout)

    const id = await stage.queue("count-words", { text: "to be or not" })
    const { result } = await stage.outcome(id)
    runner.kill("SIGTERM")

    assert.deepStrictEqual(result, { words: 4 })
    const { downloads } = await stage.client.executions.artifacts(id)
    assert.deepStrictEqual(
      downloads.map(({ file_name }) => file_name),
      ["words.txt"]
    )
    assert.deepStrictEqual(await exited, [0, null])
    for (const line of (await log).trim().split("\n")) {
      assert.match(line, /^{"timestamp":"\d{4}-\d\d-\d\dT[\d:.]+Z","level":"info","message":"/)
    }
  } finally {
    runner.kill("SIGKILL")
  }
})
