/** The runner of docs/agents does what the page says. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { sharedService, shortRounds } from "@runhook/test-support/world/Service"
import { python } from "../python/Python.ts"
import { makeSdkTenant, until } from "./SdkTenant.ts"

const guide = new URL("../../../../docs/agents/README.md", import.meta.url)
const sdk = fileURLToPath(new URL("../../", import.meta.url))

const service = await sharedService()
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "runhook-guide-"))
  await mkdir(join(directory, "node_modules", "@runhook"), { recursive: true })
  await symlink(sdk, join(directory, "node_modules", "@runhook", "sdk"))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

/** The first example of the guide in a language, behind a heading, as a program. */
const exampleIn = async (language: string, file: string, heading = ""): Promise<string> => {
  const pattern = new RegExp(`${heading}[^]*?\`\`\`${language}\\n([^]*?)\`\`\``)
  const [, example = ""] = pattern.exec(await readFile(guide, "utf8")) ?? []
  await writeFile(join(directory, file), example)
  return join(directory, file)
}

it("serves the task of the guide, and leaves when it is told to", async () => {
  const program = await exampleIn("ts", "runner.mts")
  const tenant = await makeSdkTenant({ service })
  const runner = spawn(process.execPath, [program], {
    env: { PATH: process.env["PATH"], RUNHOOK_BASE_URL: service.url, RUNHOOK_RUNNER_KEY: tenant.runnerKey },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const exited = once(runner, "exit")
    const log = text(runner.stdout)

    const id = await tenant.queue("count-words", { text: "to be or not" })
    const { result } = await tenant.outcome(id)
    runner.kill("SIGTERM")

    assert.deepStrictEqual(result, { words: 4 })
    const { downloads } = await tenant.client.executions.artifacts(id)
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

it("names calls and fields that there are, in its runner without the SDK", async () => {
  const program = await readFile(await exampleIn("python", "runner.py", "## Without the SDK"), "utf8")
  const document = await service.json<Parts>({ key: "none", path: "/runner/openapi.json" })
  const known = JSON.stringify(document)

  const calls = [...program.matchAll(/call\("(\w+)", f?"([^"]+)"/g)].map(([, method = "", path = ""]) => [
    method.toLowerCase(),
    path.replaceAll(/{[^}]*}/g, "{id}")
  ])
  const fields = [...program.matchAll(/(?:"|\[")(\w+)"(?::|\])/g)].map(([, field = ""]) => field)

  assert.isAtLeast(calls.length, 5)
  for (const [method = "", path = ""] of calls)
    assert.property(document.paths[`/api/v1/runner${path}`] ?? {}, method, path)
  // The rest is of HTTP, the environment and the task.
  const own = new Set(["Authorization", "RUNHOOK_BASE_URL", "RUNHOOK_RUNNER_KEY", "text", "words"])
  assert.deepStrictEqual(
    fields.filter((field) => !known.includes(`"${field}"`) && !own.has(field)),
    []
  )
})

interface Parts {
  readonly paths: { readonly [path: string]: object }
}

it.runIf(python !== undefined)("serves the task of the guide in Python, without the SDK", async () => {
  const quick = await sharedService(shortRounds)
  const tenant = await makeSdkTenant({ service: quick })
  const program = await exampleIn("python", "runner.py", "## Without the SDK")
  const [before = "", after = ""] = (await readFile(program, "utf8")).split("    return {")
  await writeFile(program, `${before}    stopped.wait(params.get("seconds", 0))\n    return {${after}`)
  const runner = spawn(python ?? "", [program], {
    env: { ...process.env, RUNHOOK_BASE_URL: quick.url, RUNHOOK_RUNNER_KEY: tenant.runnerKey },
    stdio: ["ignore", "ignore", "pipe"]
  })
  try {
    const exited = once(runner, "exit")
    const complaints = text(runner.stderr)

    const done = await tenant.outcome(await tenant.queue("count-words", { text: "to be or not" }))
    const failed = await tenant.outcome(await tenant.queue("count-words", { words: 7 }))
    const endless = await tenant.queue("count-words", { text: "", seconds: 3_600 })
    await until(async () => (await tenant.client.executions.get(endless)).status === "running")
    await tenant.client.executions.cancel(endless)
    const again = await tenant.outcome(await tenant.queue("count-words", { text: "to be" }))
    runner.kill("SIGTERM")

    assert.deepStrictEqual(done.result, { words: 4 })
    assert.deepStrictEqual([failed.status, failed.error_message], ["error", "'text'"])
    assert.deepStrictEqual(again.result, { words: 2 })
    assert.deepStrictEqual(await exited, [0, null])
    assert.match(await complaints, /KeyError: 'text'\n$/)
    assert.strictEqual(await tenant.runners(), 0)
  } finally {
    runner.kill("SIGKILL")
  }
})
