/** Other tests of HTTP run the sources. Users run the one file that is made of them: it answers every request alike. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { apiAt } from "@runhook/test-support/world/Api"
import { openRunner } from "@runhook/test-support/world/Runner"
import { makeBy, makeTenant, workOf } from "@runhook/test-support/world/Tenant"
import * as Effect from "effect/Effect"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { decodeDocument, type Known, requestsOf, type Sent } from "./shipped/Requests.ts"

const sources = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const adminKey = "an-admin-key-of-at-least-32-characters"

/** A service in production mode, without stored data, that can reach no one. */
const startService = Effect.fnUntraced(function* (file?: string) {
  const settings = {
    RUNHOOK_STORE: "memory",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    RUNHOOK_RATE_LIMIT: "off",
    RUNHOOK_RUNNER_RATE_LIMIT: "off",
    RUNHOOK_ADMIN_RATE_LIMIT: "off"
  }
  const { baseUrl } = yield* runningServer(settings, [], file)
  return baseUrl
})

/**
 * What an answer says, without what differs from one service to the next. Of a
 * success, where work goes on meanwhile, only the names of its fields; of a
 * search, which may find a part of a random id, none.
 */
const said = async (baseUrl: string, { path, ...init }: Sent): Promise<string> => {
  const answer = await fetch(baseUrl + path, { ...init, redirect: "manual" })
  const isEndless = answer.headers.get("content-type") === "text/event-stream"
  const text = isEndless ? ((await answer.body?.cancel()) ?? "") : await answer.text()
  const isWork = answer.ok && answer.headers.get("content-type") === "application/json"
  const names = path.includes("?q=") ? [] : (text.match(/"\w+":/g) ?? [])
  const body = isWork ? [...new Set(names)].toSorted().join() : text
  const headers = [...answer.headers].flatMap(([name, value]) =>
    passing.has(name) ? [] : `${name}: ${value}`
  )
  return masked(
    [`${init.method} ${path} ${String(init.body)}`, answer.status, ...headers, body].join("\n"),
    baseUrl
  )
}

/** When, and how long or which a text is that has times. */
const passing = new Set(["date", "content-length", "etag"])

const masked = (text: string, baseUrl: string): string =>
  text
    .replaceAll(baseUrl, "BASE")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replaceAll(/\b(req|whsec|rh\w*?)_[\w+/=-]{16,}/g, "$1_RANDOM")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME")

/** An account with something of each kind, made as operators make it. */
const makeKnown = async (baseUrl: string) => {
  const api = apiAt(baseUrl)
  const tenant = await makeTenant(makeBy(api, adminKey))
  const { sessionId } = await openRunner(api, tenant)
  const { execution_id } = await api.json({
    key: tenant.apiKey,
    path: "/integrations/executions",
    body: { ...workOf(tenant), params: {} }
  })
  const known: Known = {
    account_id: tenant.accountId,
    agent_id: tenant.agentId,
    task_id: tenant.taskId,
    version_id: tenant.versionId,
    key_id: tenant.keyId,
    session_id: sessionId,
    execution_id,
    id: execution_id
  }
  return { known, keys: { integrations: tenant.apiKey, runner: tenant.runnerKey, admin: adminKey } }
}

const pages = ["/", "/%ff", "/integrations/%ff", "/docs", "/docs/%ff", "/livez", "/readyz", "/nowhere", "//"]

/** What it answers to every request. */
const answersOf = async (baseUrl: string): Promise<ReadonlyArray<string>> => {
  const { keys, known } = await makeKnown(baseUrl)
  const answers: Array<string> = []
  for (const path of pages) answers.push(await said(baseUrl, { method: "GET", path, headers: {} }))
  for (const [api, key] of Object.entries(keys)) {
    const document = await fetch(`${baseUrl}/api/v1/${api}/openapi.json`)
    const requests = requestsOf(decodeDocument(await document.json()), key, known)
    for (const request of requests) answers.push(await said(baseUrl, request))
  }
  return answers
}

describe("the file that users run", () => {
  it("is what tests start as the service", async () => {
    const ask = `import("${new URL("../built.mjs", import.meta.url).href}").then((built) => console.log(built.isCurrent()))`

    const { stdout } = await promisify(execFile)(process.execPath, ["-e", ask])

    assert.strictEqual(stdout, "true\n")
  })

  it.live("answers every request as the sources do", () =>
    Effect.gen(function* () {
      const urls = yield* Effect.all([startService(), startService(sources)], { concurrency: 2 })

      const [built = [], expected = []] = yield* Effect.promise(() => Promise.all(urls.map(answersOf)))

      assert.isAbove(built.length, 1_000)
      const differing = built.flatMap((answer, index) =>
        answer === expected[index] ? [] : [[answer, expected[index]]]
      )
      assert.deepStrictEqual(differing, [])
    })
  )
})
