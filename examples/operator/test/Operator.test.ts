import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodeWebhookHandler, type WebhookEvent } from "@runhook/sdk/webhooks"
import { createDatabase, type Database } from "@runhook/test-support/postgres/TestServer"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startProcesses } from "./Processes.ts"

const fileOf = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const example = fileOf("../runhook.env.example")
const adminKey = randomBytes(32).toString("hex")

let directory: string
let postgres: Database
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "runhook-operator-"))
  postgres = await createDatabase({ sessions: "cut off" })
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

/** The file of the example, filled in. */
const settingsFile = async (): Promise<string> => {
  const values: Readonly<Record<string, string>> = {
    RUNHOOK_DATABASE_URL: postgres.url,
    RUNHOOK_SECRET_KEY: randomBytes(32).toString("base64"),
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_DATA_DIR: join(directory, "data")
  }
  // Each process is reached at its own port, without a balancer that has the name.
  const filled = example
    .replaceAll(/^(\w+)=.*$/gm, (line, name) => (name in values ? `${name}=${values[name]}` : line))
    .replace(/^RUNHOOK_BASE_URL=.*$/m, "")
  const path = join(directory, "runhook.env")
  // Receivers of tests are on this machine.
  await writeFile(path, `${filled}\nRUNHOOK_CALLBACK_ALLOW=127.0.0.0/8\n`)
  return path
}

const post = async (url: string, { body, key }: { readonly key: string; readonly body: object }) => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const answer = JSON.parse(await response.text())
  assert.isTrue(response.ok, `${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

/** Makes an account, and queues an execution that calls the URL back. */
const queueOne = async (api: string, callbackUrl: string) => {
  const admin = (path: string, body: object) =>
    post(`${api}/api/v1/admin/accounts${path}`, { key: adminKey, body })
  const { id: account } = await admin("", { name: "Acme" })
  const agent = await admin(`/${account}/agents`, { name: "worker", capacity: 1 })
  const task = await admin(`/${account}/tasks`, { slug: "work", name: "Work" })
  await admin(`/${account}/tasks/${task.id}/versions`, { params_schema: { type: "object" } })
  const { key, signing_secret } = await admin(`/${account}/keys`, { name: "orders" })
  const queue = () =>
    post(`${api}/api/v1/integrations/executions`, {
      key,
      body: { agent_id: agent.id, task_id: task.id, params: {}, callback_url: callbackUrl }
    })
  return { signingSecret: String(signing_secret), queue }
}

/** A receiver of callbacks. */
const startReceiver = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port")
  return {
    url: `http://127.0.0.1:${address.port}/`,

    /** The next event that is genuine. */
    next: (secrets: string) =>
      new Promise<WebhookEvent>((resolve) => {
        const receive = nodeWebhookHandler({ secrets, onEvent: resolve })
        server.once("request", (request, response) => void receive(request, response))
      }),

    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    }
  }
}

describe("the operator's settings", () => {
  it("names settings that exist", () => {
    const page = fileOf("../../../docs/operating/settings.md")

    const names = example.match(/RUNHOOK_\w+/g) ?? []

    assert.isNotEmpty(names)
    assert.deepStrictEqual(
      names.filter((name) => !page.includes(`\`${name}\``)),
      []
    )
  })

  it("run a process that answers and one that calls back, on a PostgreSQL of the operator's", async () => {
    await using processes = startProcesses(await settingsFile())
    const [api, dispatcher] = [await processes.urlOf("api"), await processes.urlOf("dispatcher")]
    await using receiver = await startReceiver()
    const { queue, signingSecret } = await queueOne(api, receiver.url)
    const received = receiver.next(signingSecret)

    const { execution_id } = await queue()

    assert.strictEqual((await received).execution?.id, execution_id)
    const checks = await Promise.all(
      [api, dispatcher].flatMap((url) => ["/livez", "/readyz", "/metrics"].map((path) => fetch(url + path)))
    )
    assert.deepStrictEqual(
      checks.map(({ status }) => status),
      [200, 200, 200, 200, 200, 200]
    )
    const metrics = await Promise.all([checks[2]?.text(), checks[5]?.text()])
    assert.include(metrics[0], "runhook_http_request_duration_seconds")
    assert.include(metrics[1], "runhook_webhook_attempts_total")
    assert.strictEqual(await processes.stop(), 0, processes.lines.join("\n"))
  })
})
