/** The service with its demo, as `npm start` runs it: a key, an agent, and a task that captures files. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Environment } from "./Generators.ts"

/** A run of the tests makes it first. */
const program = fileURLToPath(new URL("../../../../apps/server/dist/runhook.mjs", import.meta.url))

export interface Demo extends AsyncDisposable {
  /** What a story is told of it. */
  readonly settings: Environment
}

/** The first curl that it prints says everything. */
const curl = /'(http:[^']+)\/api[^]*?Bearer (\w+)'[^]*?"agent_id":"([^"]+)","task_id":"([^"]+)"/

export const startDemo = async (): Promise<Demo> => {
  const folder = await mkdtemp(join(tmpdir(), "runhook-demo-"))
  const settings = { RUNHOOK_DATA_DIR: folder, RUNHOOK_PORT: "0", RUNHOOK_STORE: "memory" }
  const child = spawn(process.execPath, [program, "start"], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...settings }
  })
  const ended = once(child, "close")
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
  while (!curl.test(said)) {
    if (child.exitCode !== null) throw new Error(`The service did not start: ${said}`)
    await Promise.race([ended, once(child.stdout, "data")])
  }
  const [, BASE = "", KEY = "", AGENT = "", TASK = ""] = curl.exec(said) ?? []
  return {
    settings: { BASE, KEY, AGENT, TASK },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL")
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
