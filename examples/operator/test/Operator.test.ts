import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodeWebhookHandler, type WebhookEvent } from "@runhook/sdk/webhooks"
import { createDatabase, type Database } from "@runhook/test-support/postgres/TestServer"
import { listen } from "@runhook/test-support/receivers/Listening"
import { apiAt } from "@runhook/test-support/world/Api"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
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

/** Makes a tenant, and gives what queues an execution of it that calls the URL back. */
const makeOrders = async (url: string, callback_url: string) => {
  const api = apiAt(url)
  const tenant = await makeTenant(makeBy(api, adminKey))
  const call = { key: tenant.apiKey, path: "/integrations/executions" }
  const queue = () => api.json({ ...call, body: { ...workOf(tenant), params: {}, callback_url } })
  return { signingSecret: tenant.signingSecret, queue }
}

/** A receiver of callbacks. */
const startVerifier = async () => {
  const server = createServer()
  const listening = await listen(server)
  return {
    ...listening,
    /** The next event that is genuine. */
    next: (secrets: string) =>
      new Promise<WebhookEvent>((resolve) => {
        const receive = nodeWebhookHandler({ secrets, onEvent: resolve })
        server.once("request", (request, response) => void receive(request, response))
      })
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
    await using receiver = await startVerifier()
    const { queue, signingSecret } = await makeOrders(api, receiver.origin)
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
