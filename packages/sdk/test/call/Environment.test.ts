import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { afterEach, assert, describe, it, vi } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import * as InEffect from "../../src/effect/Runhook.ts"
import { Runhook } from "../../src/Runhook.ts"
import { createRunner } from "../../src/runner/Runner.ts"
import { json, refusal, startServer } from "./RawServer.ts"

const empty = json(200, { data: [], next_cursor: null })
const ownAgent = `runhook-sdk/${manifest.version} (node/${process.versions.node})`

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("a client without options", () => {
  it("finds the service and its key in the environment", async () => {
    await using server = await startServer(empty)
    vi.stubEnv("RUNHOOK_BASE_URL", server.url)
    vi.stubEnv("RUNHOOK_API_KEY", "rhlive_from_outside")

    await new Runhook().tasks.list().page()

    assert.strictEqual(server.received[0]?.headers.authorization, "Bearer rhlive_from_outside")
  })

  it("is told by its options before the environment", async () => {
    await using server = await startServer(empty)
    vi.stubEnv("RUNHOOK_BASE_URL", "http://127.0.0.1:1")
    vi.stubEnv("RUNHOOK_API_KEY", "rhlive_from_outside")

    await new Runhook({ baseUrl: server.url, apiKey: "\uFEFFrhlive_given\r\n" }).tasks.list().page()

    assert.strictEqual(server.received[0]?.headers.authorization, "Bearer rhlive_given")
  })

  it.each(["", undefined])("says both ways to give what is missing (%j)", (value) => {
    vi.stubEnv("RUNHOOK_BASE_URL", value)
    vi.stubEnv("RUNHOOK_API_KEY", value)
    vi.stubEnv("RUNHOOK_RUNNER_KEY", value)
    const missing = (option: string, variable: string) =>
      `${option} is missing: pass it, or set ${variable} in the environment`

    assert.throws(() => new Runhook(), TypeError, missing("apiKey", "RUNHOOK_API_KEY"))
    assert.throws(() => new Runhook({ apiKey: "k" }), TypeError, missing("baseUrl", "RUNHOOK_BASE_URL"))
    assert.throws(() => createRunner({ tasks: {} }), TypeError, missing("apiKey", "RUNHOOK_RUNNER_KEY"))
  })
})

describe("a runner without options", () => {
  it("finds the service and its key in the environment, and names itself", async () => {
    await using server = await startServer(refusal(401, "unauthorized"))
    vi.stubEnv("RUNHOOK_BASE_URL", server.url)
    vi.stubEnv("RUNHOOK_RUNNER_KEY", "rhrun_from_outside")

    await createRunner({ tasks: {}, log: () => {} })
      .start()
      .catch(() => {})

    assert.deepInclude(server.received[0]?.headers, {
      authorization: "Bearer rhrun_from_outside",
      "user-agent": ownAgent
    })
  })
})

describe("the User-Agent", () => {
  it("names the package, its version and the runtime", async () => {
    await using server = await startServer(empty)

    await new Runhook({ baseUrl: server.url, apiKey: "k" }).tasks.list().page()

    assert.strictEqual(server.received[0]?.headers["user-agent"], ownAgent)
  })

  it("is the caller's where the caller has one", async () => {
    await using server = await startServer(empty)
    const headers = { "User-Agent": "shop/2" }

    await new Runhook({ baseUrl: server.url, apiKey: "k" }).tasks.list({}, { headers }).page()

    assert.strictEqual(server.received[0]?.headers["user-agent"], "shop/2")
  })

  it("is the same in Effect", async () => {
    await using server = await startServer(empty)
    const options = { baseUrl: server.url, apiKey: Redacted.make("k\n") }

    await Effect.runPromise(
      InEffect.Runhook.use((runhook) => runhook.tasks.page()).pipe(
        Effect.provide(Layer.provide(InEffect.Runhook.layer(options), FetchHttpClient.layer))
      )
    )

    assert.strictEqual(server.received[0]?.headers["user-agent"], ownAgent)
  })
})
