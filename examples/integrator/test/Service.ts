/** The service as it really runs, a process of its own with nothing in it, and an agent that the test plays. */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../../../apps/server/start.mjs", import.meta.url))
const adminKey = "the-admin-key-of-the-tests-of-the-shop"

export const startService = async () => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-integrator-"))
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      RUNHOOK_MODE: "development",
      RUNHOOK_STORE: "memory",
      RUNHOOK_DEMO: "off",
      RUNHOOK_PORT: "0",
      RUNHOOK_DATA_DIR: directory,
      RUNHOOK_ADMIN_KEY: adminKey
    },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const exited = once(child, "exit")
  const url = await urlIn(child.stderr)

  const post = async (path: string, { body, key }: { readonly body: object; readonly key: string }) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const answer = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const admin = (path: string, body: object) => post(`/admin/accounts${path}`, { key: adminKey, body })

  return {
    url,

    /** An account with an agent, a task and keys. */
    makeTenant: async () => {
      const { id: account } = await admin("", { name: "Shop" })
      const agent = await admin(`/${account}/agents`, { name: "worker", capacity: 4 })
      const task = await admin(`/${account}/tasks`, { slug: "visit-page", name: "Visit a page" })
      await admin(`/${account}/tasks/${task.id}/versions`, {
        params_schema: { type: "object", required: ["url"] }
      })
      const { key, signing_secret } = await admin(`/${account}/keys`, { name: "shop" })
      const { key: runnerKey } = await admin(`/${account}/runner-keys`, { name: "worker" })
      return {
        agentId: String(agent.id),
        taskId: String(task.id),
        apiKey: String(key),
        signingSecret: String(signing_secret),
        runnerKey: String(runnerKey)
      }
    },

    /** Takes one piece of work, captures a file, and ends it with a result. */
    workOnce: async (
      runnerKey: string,
      { file, result }: { readonly file: string; readonly result: object }
    ) => {
      const runner = (path: string, body: object) => post(`/runner${path}`, { key: runnerKey, body })
      const opened = await runner("/sessions", { instance_id: runnerKey, runner_name: "test", capacity: 1 })
      const claimed = await runner("/claims", {
        session_id: opened.session_id,
        claim_id: crypto.randomUUID(),
        free_slots: 1,
        wait_ms: 30_000
      })
      const [{ epoch, execution_id }] = claimed.claims
      const path = `/executions/${execution_id}`
      await runner(`${path}/start`, { epoch })
      const { artifact_id, upload } = await runner(`${path}/artifacts`, {
        epoch,
        kind: "download",
        file_name: "receipt.txt",
        content_type: "text/plain",
        size_bytes: Buffer.byteLength(file),
        sha256: createHash("sha256").update(file).digest("hex")
      })
      await fetch(upload.url, { method: upload.method, headers: upload.headers, body: file })
      await runner(`${path}/artifacts/${artifact_id}/complete`, { epoch })
      await runner(`${path}/complete`, { epoch, outcome: "completed", result })
    },

    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await exited
      await rm(directory, { recursive: true, force: true })
    }
  }
}

const urlIn = async (log: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface(log)) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1]
    // Nothing reads on, and a full pipe would stop the service.
    log.resume()
    if (url !== undefined) return url
  }
  throw new Error("The service did not start")
}
