import { once } from "node:events"
import { inspect } from "node:util"
import { assert, describe, it } from "vitest"
import * as Sdk from "../../src/Runhook.ts"
import { apiKey, failureOf, meeting } from "./Meeting.ts"
import { hangUp, json, refusal } from "./RawServer.ts"

describe("the key", () => {
  it("shows in nothing that is printed or logged", async () => {
    const shown: Array<unknown> = []
    const { client, server } = await meeting(
      [
        hangUp,
        refusal(500, "internal_error"),
        (response, { headers }) => void response.writeHead(404).end(headers.authorization)
      ],
      { log: (entry) => shown.push(entry), onRequest: ({ headers }) => void shown.push([...headers]) }
    )
    await using _ = server
    const leaking = (async (_url, init) => {
      throw new TypeError("failed", { cause: new Error(JSON.stringify([...new Headers(init?.headers)])) })
    }) satisfies typeof fetch
    const other = new Sdk.Runhook({ baseUrl: server.url, apiKey, fetch: leaking, retries: 0 })

    shown.push(await failureOf(client.executions.get("e-1")), await failureOf(other.executions.get("e-1")))
    shown.push(client, other, await failureOf(client.executions.list().toArray({ limit: 1 })))

    const text = inspect(shown, { depth: 20, showHidden: true }) + JSON.stringify(shown)
    assert.include(text, "[key]")
    assert.notInclude(text, "hush")
  })

  it("of a form that no header can hold is refused without being shown", () => {
    const make = () => new Sdk.Runhook({ baseUrl: "http://localhost", apiKey: "rhlive_hush\nhush" })

    assert.throws(make, TypeError, /^apiKey must be/)
  })

  it.each(["/../../../admin/accounts", "/..", "@example.com", "//"])(
    "does not leave the API for the path %s",
    async (path) => {
      const { client, server } = await meeting([json(200, {})], { retries: 0 })
      await using _ = server

      const failure = await failureOf(client.request({ method: "GET", path }))

      if (failure !== undefined) assert.instanceOf(failure, TypeError)
      for (const { path: asked } of server.received) assert.match(asked ?? "", /^\/api\/v1\/integrations\//)
    }
  )
})

it("says in whole milliseconds how long it waited", async () => {
  const silent = (async (_url, init) => {
    await once(init?.signal ?? new EventTarget(), "abort")
    throw new Error("late")
  }) satisfies typeof fetch
  const runhook = new Sdk.Runhook({
    baseUrl: "http://localhost",
    apiKey,
    fetch: silent,
    retries: 0,
    attemptTimeoutMs: 2.25
  })

  const failure = await failureOf(runhook.executions.get("e-1"))

  assert.instanceOf(failure, Sdk.TimeoutError)
  assert.strictEqual(failure.message, "No answer within 3 ms")
})

describe("a misuse", () => {
  it.each(["", ".", ".."])("of %j as an id is refused before anything is sent", (id) => {
    const runhook = new Sdk.Runhook({ baseUrl: "http://localhost", apiKey })

    assert.throws(() => runhook.executions.get(id), TypeError)
  })

  it.each([
    [{ baseUrl: "ftp://localhost" }, /baseUrl/],
    [{ baseUrl: "127.0.0.1:8700" }, /baseUrl must be an http or https URL/],
    [{ baseUrl: "http://localhost/api/v1/integrations" }, /baseUrl must .* or \/api\/v1$/],
    [{ baseUrl: "http://user:hush@localhost" }, /baseUrl/],
    [{ retries: -1 }, /retries/],
    [{ timeoutMs: Number.NaN }, /timeoutMs/]
  ])("of the option %j is named", (options, message) => {
    const make = () => new Sdk.Runhook({ baseUrl: "http://localhost", apiKey, ...options })

    assert.throws(make, TypeError, message)
  })
})
