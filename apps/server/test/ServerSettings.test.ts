import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { serverSettings } from "../src/ServerSettings.ts"
import { temporaryDirectory } from "./RunhookProcess.ts"

const secretKey = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
const production = {
  RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
  RUNHOOK_SECRET_KEY: secretKey,
  RUNHOOK_STORE: "memory"
}

const settingsOf = (env: Record<string, string>) =>
  serverSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.provide(NodeServices.layer)
  )

describe("the settings of a server", () => {
  it.effect("are those of production unless development is asked for", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf(production)

      assert.strictEqual(settings.mode, "production")
      assert.isFalse(settings.hasDemo)
      assert.deepStrictEqual(settings.callbackTargets.networks, [])
    })
  )

  it.effect("need nothing in development, where callbacks may reach this machine", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf({ RUNHOOK_MODE: "development" })

      assert.isTrue(settings.hasDemo)
      assert.deepStrictEqual([settings.host, settings.port], ["127.0.0.1", 8700])
      assert.strictEqual(settings.callbackTargets.networks.length, 2)
    })
  )

  it.effect("take the secret key from a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "secret key")
      yield* Effect.promise(() => writeFile(file, `${secretKey}\n`))

      const { keyRing } = yield* settingsOf({
        ...production,
        RUNHOOK_SECRET_KEY: "",
        RUNHOOK_SECRET_KEY_FILE: file
      })

      const direct = yield* settingsOf(production)
      assert.strictEqual(keyRing?.[0].id, direct.keyRing?.[0].id)
    })
  )

  it.effect.each([
    [{ RUNHOOK_SECRET_KEY_FILE: "/nowhere" }, "RUNHOOK_SECRET_KEY and RUNHOOK_SECRET_KEY_FILE are both set"],
    [
      { RUNHOOK_SECRET_KEY: "", RUNHOOK_SECRET_KEY_FILE: "/nowhere" },
      "RUNHOOK_SECRET_KEY_FILE cannot be read: /nowhere"
    ],
    [{ RUNHOOK_STORE: "" }, "RUNHOOK_STORE must be set to memory in production"],
    [{ RUNHOOK_STORE: "postgres" }, "RUNHOOK_STORE=postgres is not available in this version"],
    [{ RUNHOOK_DATABASE_URL: "postgres://a" }, "RUNHOOK_DATABASE_URL is not available in this version"],
    [{ RUNHOOK_ARTIFACTS: "s3://a/b" }, "RUNHOOK_ARTIFACTS=s3://... is not available in this version"],
    [{ RUNHOOK_ROLES: "api" }, "RUNHOOK_ROLES must be api,dispatcher with the memory store"],
    [{ RUNHOOK_DEMO: "on" }, "RUNHOOK_DEMO=on is for RUNHOOK_MODE=development"],
    [
      { RUNHOOK_MODE: "development", RUNHOOK_HOST: "0.0.0.0" },
      "RUNHOOK_HOST would show the demo account to the network"
    ]
  ] as const)("refuse %j with one line", ([more, beginning]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(settingsOf({ ...production, ...more }))

      assert.strictEqual(refused.problems.length, 1)
      assert.isTrue(refused.message.startsWith(beginning), refused.message)
    })
  )
})
