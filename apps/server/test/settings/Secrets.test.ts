import { existsSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { demoOf } from "../Demo.ts"
import { durableDirectory, newDirectory } from "../DurableDirectory.ts"
import { runhook, runningServer, startingServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"

const secretsIn = (dataDir: string): string => join(dataDir, "secrets.json")

const development = (dataDir: string) => ({ RUNHOOK_MODE: "development", RUNHOOK_DATA_DIR: dataDir })

const stopped = Effect.fnUntraced(function* (settings: Record<string, string>) {
  const server = yield* runningServer(settings)
  server.signal("SIGTERM")
  return yield* server.ended
})

const remedy =
  "restore it from a backup, since all keys and signing secrets in the database are sealed with its secret_key"
const missing =
  "is missing, and all keys and signing secrets in the database are sealed with one: restore the file from a backup, or set RUNHOOK_SECRET_KEY to that key; no other one is made"

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString("base64")

describe("the secrets of a server in development", () => {
  it.live.each([
    ["empty", "", "it is empty"],
    ["not JSON", '{"admin_key": "rhadmin_hush', "it is not JSON"],
    ["of something else", '{"hush": 1}', "it must hold an admin_key and a secret_key, both texts"],
    [
      "of a secret key that is none",
      '{"admin_key": "a", "secret_key": "hush"}',
      "its secret_key is not the base64 of 32 bytes"
    ],
    ["a folder", undefined, "it is a folder and not a file (EISDIR)"]
  ] as const)("are to be restored from a backup when their file is %s", ([, content, reason]) =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const path = secretsIn(dataDir)
      yield* Effect.promise<unknown>(() => (content === undefined ? mkdir(path) : writeFile(path, content)))

      const { code, stderr } = yield* runhook([], {
        ...development(dataDir),
        RUNHOOK_STORE: "memory",
        RUNHOOK_PORT: "0"
      })

      assert.deepStrictEqual([code, stderr], [1, `runhook: ${path} cannot be used: ${reason}; ${remedy}\n`])
      if (content !== undefined) {
        assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), content)
      }
    })
  )

  it.live(
    "are not made anew beside a database of its own that has some, and open it when they are back",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* durableDirectory
        const settings = development(dataDir)
        const first = yield* runningServer(settings)
        first.signal("SIGTERM")
        yield* first.ended
        yield* Effect.promise(() => rename(secretsIn(dataDir), join(dataDir, "backup")))

        const refused = yield* runhook([], { ...settings, RUNHOOK_PORT: "0" })
        const isMade = existsSync(secretsIn(dataDir))
        yield* Effect.promise(() => rename(join(dataDir, "backup"), secretsIn(dataDir)))
        const restored = yield* runningServer(settings)

        assert.deepStrictEqual([refused.code, isMade], [1, false])
        assert.include(refused.stderr, `runhook: ${secretsIn(dataDir)} ${missing}\n`)
        assert.strictEqual(demoOf(restored).key, demoOf(first).key)
      })
  )

  it.live("are made by the start after one that was killed when it had made its database", () =>
    Effect.gen(function* () {
      const dataDir = yield* newDirectory
      const settings = development(dataDir)
      const killed = yield* startingServer(settings)
      yield* Effect.sync(() => existsSync(join(dataDir, "postgres", "cluster"))).pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (isThere) => isThere })
      )
      killed.signal("SIGKILL")
      yield* killed.ended
      const hadSecrets = existsSync(secretsIn(dataDir))

      const { code } = yield* stopped(settings)

      assert.deepStrictEqual([hadSecrets, code], [false, 0])
    })
  )

  it.live(
    "are those of a database elsewhere: no others are made, and none are kept that contradict them",
    () =>
      Effect.gen(function* () {
        const [dataDir, { url }] = [yield* temporaryDirectory, yield* testPostgres]
        const settings = { ...development(dataDir), RUNHOOK_DATABASE_URL: url }
        const withKey = (byte: number) => ({ ...settings, RUNHOOK_SECRET_KEY: keyOf(byte) })
        yield* stopped(withKey(1))
        const kept = yield* Effect.promise(() => readFile(secretsIn(dataDir), "utf8"))
        const withoutKey = yield* runhook([], { ...settings, RUNHOOK_PORT: "0" })
        yield* Effect.promise(() => rm(secretsIn(dataDir)))
        const withoutFile = yield* runhook([], { ...settings, RUNHOOK_PORT: "0" })
        const wrongKey = yield* runhook([], { ...withKey(2), RUNHOOK_PORT: "0" })

        assert.deepStrictEqual(Object.keys(JSON.parse(kept)), ["admin_key"])
        assert.strictEqual(
          withoutKey.stderr,
          `runhook: ${secretsIn(dataDir)} ${missing.replace("is missing", "holds no secret_key")}\n`
        )
        assert.strictEqual(withoutFile.stderr, `runhook: ${secretsIn(dataDir)} ${missing}\n`)
        assert.include(
          wrongKey.stderr,
          "runhook: RUNHOOK_SECRET_KEY: The pepper of this service cannot be opened: it was sealed under a secret key that is not configured; set the key that the database was used with, or restore it from a backup\n"
        )
      })
  )
})
