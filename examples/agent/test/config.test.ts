import { assert, describe, it } from "vitest"
import { readConfig } from "../src/config.ts"

const least = { RUNHOOK_URL: "http://127.0.0.1:8700/", RUNHOOK_RUNNER_KEY: "rhrun_key" }

describe("readConfig", () => {
  it("needs the service's URL and a key, nothing else", () => {
    const { url, key, allowedOrigins, chromium } = readConfig(least)

    assert.deepStrictEqual(
      { url, key, allowedOrigins, chromium },
      { url: "http://127.0.0.1:8700", key: "rhrun_key", allowedOrigins: undefined, chromium: undefined }
    )
  })

  it("reads the allowed origins, separated by commas", () => {
    const { allowedOrigins } = readConfig({
      ...least,
      RUNNER_ALLOWED_ORIGINS: "https://example.com/shop, http://127.0.0.1:9000"
    })

    assert.deepStrictEqual(allowedOrigins, ["https://example.com", "http://127.0.0.1:9000"])
  })

  it("names the setting that is missing or wrong", () => {
    assert.throws(() => readConfig({ RUNHOOK_URL: least.RUNHOOK_URL }), "RUNHOOK_RUNNER_KEY must be set")
    assert.throws(
      () => readConfig({ ...least, RUNHOOK_URL: "localhost:8700" }),
      "RUNHOOK_URL must be an http"
    )
  })
})
