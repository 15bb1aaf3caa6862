import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Sdk from "../../src/effect/Runhook.ts"
import { apiKey, meeting } from "./Answering.ts"

describe("the layer", () => {
  const configured = (environment: Readonly<Record<string, string>>) =>
    Sdk.Runhook.layerConfig().pipe(
      Layer.provide(FetchHttpClient.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))
    )

  it.effect("reads its options from the environment", () =>
    Effect.gen(function* () {
      const { files } = yield* Sdk.Runhook

      const url = files.url({ execution_id: "e-1", id: "f-1" })

      assert.strictEqual(url, "http://service.test/api/v1/integrations/executions/e-1/files/f-1")
    }).pipe(Effect.provide(configured({ RUNHOOK_BASE_URL: "http://service.test", RUNHOOK_API_KEY: apiKey })))
  )

  it.effect("names the variable that is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(configured({ RUNHOOK_BASE_URL: "http://service.test" })))

      assert.include(String(error), "RUNHOOK_API_KEY")
    }).pipe(Effect.scoped)
  )

  it.effect("refuses options that no client can have", () =>
    Effect.gen(function* () {
      const { layer } = meeting([], { baseUrl: "ftp://service.test" })

      const exit = yield* Effect.exit(Layer.build(layer))

      assert.isTrue(Exit.hasDies(exit))
      assert.include(String(exit), "baseUrl")
    }).pipe(Effect.scoped)
  )
})
