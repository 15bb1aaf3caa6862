import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { demoOf } from "./Demo.ts"
import { durableDirectory } from "./DurableDirectory.ts"
import { runhook, runningServer } from "./RunhookProcess.ts"

const [oldKey, newKey] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")]

const decodeResealed = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ older_keys: Schema.Array(Schema.String), broken: Schema.Int }))
)

describe("the secret key of a server", () => {
  it.live("is replaced while every key stays valid, and then the old one opens nothing", () =>
    Effect.gen(function* () {
      const adminKey = "an-admin-key-of-the-operator-himself"
      const settings = {
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* durableDirectory,
        RUNHOOK_ADMIN_KEY: adminKey
      }
      const first = yield* runningServer({ ...settings, RUNHOOK_SECRET_KEY: oldKey })
      const before = demoOf(first)
      yield* before.create({ hold: true })
      first.signal("SIGTERM")
      yield* first.ended

      const second = yield* runningServer({ ...settings, RUNHOOK_SECRET_KEY: `${newKey},${oldKey}` })
      const after = demoOf(second)
      yield* after.create({ hold: true })
      const resealed = yield* runhook(["keys", "reseal"], {
        RUNHOOK_BASE_URL: second.baseUrl,
        RUNHOOK_ADMIN_KEY: adminKey
      })
      second.signal("SIGTERM")
      yield* second.ended
      const refused = yield* runhook(["serve"], {
        ...settings,
        RUNHOOK_PORT: "0",
        RUNHOOK_SECRET_KEY: oldKey
      })

      assert.strictEqual(after.key, before.key)
      const { broken, older_keys } = yield* decodeResealed(resealed.stdout)
      assert.deepStrictEqual([broken, older_keys.length], [0, 1])
      assert.strictEqual(refused.code, 1)
      assert.include(
        refused.stderr,
        "runhook: RUNHOOK_SECRET_KEY: The pepper of this service cannot be opened: it was sealed under a secret key that is not configured; " +
          `set the key that the database was used with (development mode keeps it in ${settings.RUNHOOK_DATA_DIR}/secrets.json)`
      )
      assert.notInclude(resealed.stdout + refused.stderr, oldKey)
    })
  )
})
