/** The receivers that docs/webhooks.md shows, as they stand there, each asked with a signed callback and a forged one. */
import { readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { signTest } from "@runhook/sdk/webhooks"
import { listen } from "@runhook/test-support/receivers/Listening"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8")

/** The snippet below that heading. */
const snippetOf = (heading: string): string =>
  new RegExp(`^### ${heading}\\n+\`\`\`js\\n(.*?)^\`\`\``, "ms").exec(page)?.[1] ?? ""

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const otherSecret = "whsec_HxwdHhsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA="

/** What a receiver does here: it remembers the events. */
const receiver = `
export const received = []
export const options = { secrets: "${secret}", onEvent: (event) => void received.push(event.event_id) }`

// Inside the package, whose dependencies the snippets import.
const cache = fileURLToPath(new URL("../.cache", import.meta.url))
let directory = ""
beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  directory = await mkdtemp(join(cache, "receivers-"))
  await writeFile(join(directory, "receiver.js"), receiver)
})
afterAll(() => rm(directory, { recursive: true }))

const require = createRequire(import.meta.url)

/** Modules that the test has only just written. */
const imported = <Module>(file: string): Module => require(join(directory, file))

type Send = (request: Request) => Promise<Response>

/** Sends to a server of Node that listens only meanwhile. */
const through =
  (listener: RequestListener): Send =>
  async (request) => {
    await using server = await listen(createServer(listener))
    const { headers } = request
    const init = { method: "POST", headers, body: await request.text() }
    const response = await fetch(`${server.origin}/callbacks`, init)
    // All of it, before the server is gone.
    return new Response(await response.text(), response)
  }

const frameworks = [
  {
    name: "Express",
    sendTo: async ({ app }: { readonly app: RequestListener }): Promise<Send> => through(app)
  },
  {
    name: "Fastify",
    sendTo: async ({
      app
    }: {
      readonly app: { ready(): Promise<void>; readonly routing: RequestListener }
    }) => {
      await app.ready()
      return through(app.routing)
    }
  },
  {
    name: "Hono",
    sendTo: async ({ app }: { readonly app: { readonly fetch: Send } }): Promise<Send> => app.fetch
  },
  { name: "Next", sendTo: async ({ POST }: { readonly POST: Send }): Promise<Send> => POST },
  {
    name: "Workers",
    sendTo:
      async (worker: { readonly default: { fetch(request: Request, env: object): Promise<Response> } }) =>
      (request: Request) =>
        worker.default.fetch(request, { RUNHOOK_SIGNING_SECRET: secret })
  }
]

/** The same with something before it that reads the body. */
const misplaced = [
  {
    name: "Express",
    change: (snippet: string) => snippet.replace("express()\n", "express()\napp.use(express.json())\n")
  },
  {
    name: "Fastify",
    change: (snippet: string) => snippet.replace(/^ +callbacks\.(remove|add).*\n/gm, "")
  },
  {
    name: "Hono",
    change: (snippet: string) =>
      snippet.replace("(c) => receive", "async (c) => (await c.req.json()) && receive")
  },
  {
    name: "Next",
    change: (snippet: string) =>
      snippet.replace(
        "= webhookHandler(options)",
        "= async (request) => (await request.json()) && webhookHandler(options)(request)"
      )
  }
] as const

const eventId = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

const callbackSignedBy = async (by: string): Promise<Request> => {
  const { body, headers } = await signTest(
    {
      event_id: eventId,
      type: "webhook.test",
      occurred_at: "2026-03-07T09:30:00.000Z",
      request_id: "req_test",
      reference: "webhook-test",
      metadata: {},
      execution: null,
      message: "Hello"
    },
    { secret: by }
  )
  return new Request("http://receiver.example/callbacks", { method: "POST", headers, body })
}

describe("docs/webhooks.md", () => {
  it.each(frameworks)(
    "shows a receiver on $name that handles what is signed, and nothing else",
    async ({ name, sendTo }) => {
      await writeFile(join(directory, `${name}.js`), snippetOf(name))
      const { received } = imported<{ readonly received: Array<string> }>("receiver.js")
      received.length = 0
      const send: Send = await sendTo(imported(`${name}.js`))

      const forged = await send(await callbackSignedBy(otherSecret))
      const genuine = await send(await callbackSignedBy(secret))

      assert.deepStrictEqual([forged.status, genuine.status], [401, 200])
      assert.deepStrictEqual(received, [eventId])
    }
  )

  it.each(misplaced)(
    "shows a receiver on $name that says so behind a parser of bodies",
    async ({ change, name }) => {
      const snippet = snippetOf(name)
      await writeFile(join(directory, `${name} misplaced.js`), change(snippet))
      assert.notStrictEqual(change(snippet), snippet)
      const { received } = imported<{ readonly received: Array<string> }>("receiver.js")
      received.length = 0
      const { sendTo } = frameworks.find((framework) => framework.name === name) ?? assert.fail()
      const send: Send = await sendTo(imported(`${name} misplaced.js`))

      const answer = await send(await callbackSignedBy(secret))

      assert.strictEqual(answer.status, 500)
      assert.match(await answer.text(), /body_already_read: verify before express\.json\(\)/)
      assert.isEmpty(received)
    }
  )
})
