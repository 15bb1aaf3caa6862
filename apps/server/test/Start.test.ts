import { readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "./Http.ts"
import { developmentServer, runhook, runningServer, temporaryDirectory } from "./RunhookProcess.ts"

const linesOf = (text: string) => text.trimEnd().split("\n")

const production = {
  RUNHOOK_MODE: "production",
  RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
}

describe("the start of a server", () => {
  it.live("is refused in production with a line for each thing that is missing", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* runhook(["serve"], {})

      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.deepStrictEqual(linesOf(stderr), [
        "runhook: RUNHOOK_SECRET_KEY (or RUNHOOK_SECRET_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -base64 32 > secret.key), and set RUNHOOK_SECRET_KEY_FILE=secret.key",
        "runhook: RUNHOOK_ADMIN_KEY (or RUNHOOK_ADMIN_KEY_FILE) must be set in production; make one in a file, once: (umask 077; openssl rand -hex 32 > admin.key), and set RUNHOOK_ADMIN_KEY_FILE=admin.key"
      ])
    })
  )

  it.live("is refused with misspelt settings named, and warns of them otherwise", () =>
    Effect.gen(function* () {
      const misspelt = {
        RUNHOOK_SECRETKEY: production.RUNHOOK_SECRET_KEY,
        RUNHOOK_ADMIN_KEY: production.RUNHOOK_ADMIN_KEY
      }
      const refused = yield* runhook(["serve"], misspelt)
      const folder = yield* temporaryDirectory
      const checked = yield* runhook(["doctor"], {
        ...production,
        RUNHOOK_DATA_DIR: join(folder, "data"),
        RUNHOOK_BASEURL: "http://127.0.0.1:1"
      })
      const made = yield* Effect.promise(() => readdir(folder))
      const server = yield* runningServer({
        ...production,
        RUNHOOK_STORE: "memory",
        RUNHOOK_DATA_DIR: folder,
        RUNHOOK_RATE_LIMITS: "off",
        RUNHOOK_SERVICE_HOST: "10.0.0.1"
      })
      server.signal("SIGTERM")
      const { stderr } = yield* server.ended

      const line = (name: string, meant: string) =>
        `${name} is not a setting, and is ignored: did you mean ${meant}? \`runhook settings\` lists all`
      assert.strictEqual(
        linesOf(refused.stderr).at(-1),
        `runhook: ${line("RUNHOOK_SECRETKEY", "RUNHOOK_SECRET_KEY")}`
      )
      assert.include(checked.stdout, `FAIL  settings  ${line("RUNHOOK_BASEURL", "RUNHOOK_BASE_URL")}`)
      assert.deepStrictEqual(made, [])
      const warnings = linesOf(stderr).filter((each) => each.includes("not a setting"))
      assert.deepStrictEqual(
        warnings.map((each) => JSON.parse(each)).map(({ level, message }) => [level, message]),
        [["warn", line("RUNHOOK_RATE_LIMITS", "RUNHOOK_RATE_LIMIT")]]
      )
    })
  )

  it.live("does without Node's own fetch, which takes a twentieth of it to load", () =>
    Effect.gen(function* () {
      const atExit = `process.on("exit", () => console.log(process.moduleLoadList.filter((each) => /undici/.test(each))))`
      const server = yield* developmentServer({
        RUNHOOK_DEMO: "off",
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(atExit)}`
      })

      server.signal("SIGTERM")

      const { stdout } = yield* server.ended
      assert.match(stdout, /^\[\]$/m)
    })
  )

  it.live("needs no more than these in production, says at / what it is, and tells no secret", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const server = yield* runningServer({
        ...production,
        RUNHOOK_STORE: "memory",
        RUNHOOK_DATA_DIR: dataDir
      })

      const ready = yield* request(`${server.baseUrl}/readyz`)
      const inbox = yield* request(`${server.baseUrl}/demo/inbox`)
      const start = yield* request(server.baseUrl)
      const words = yield* Effect.promise(() => start.text())
      const docs = yield* request(new URL(start.headers.get("location") ?? "", server.baseUrl).href)
      server.signal("SIGTERM")
      const { code, stderr, stdout } = yield* server.ended

      assert.deepStrictEqual([ready.status, inbox.status, code, stdout], [200, 404, 0, ""])
      assert.include(words, "Runhook queues task executions")
      assert.include(words, "Documentation: /docs")
      assert.deepStrictEqual([docs.status, new URL(docs.url).pathname], [200, "/docs"])
      assert.notInclude(stderr, production.RUNHOOK_ADMIN_KEY)
      assert.notInclude(stderr, production.RUNHOOK_SECRET_KEY)
    })
  )

  it.live("takes --memory for RUNHOOK_STORE=memory", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* runhook(["serve", "--memory"], {
        ...production,
        RUNHOOK_DATABASE_URL: "postgres://127.0.0.1:1/runhook"
      })

      assert.strictEqual(code, 1)
      assert.deepStrictEqual(linesOf(stderr), [
        "runhook: RUNHOOK_STORE=memory and RUNHOOK_DATABASE_URL are both set: unset one of them"
      ])
    })
  )

  it.live("is for trying out by `start`, unless the environment says otherwise", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const memory = { RUNHOOK_DATA_DIR: dataDir, RUNHOOK_PORT: "0" }
      const server = yield* runningServer(memory, ["start", "--memory"])
      const inbox = yield* request(`${server.baseUrl}/demo/inbox`)
      const refused = yield* runhook(["start"], { ...memory, RUNHOOK_MODE: "production" })

      assert.strictEqual(inbox.status, 200)
      assert.strictEqual(refused.code, 1)
      assert.include(
        refused.stderr,
        "RUNHOOK_ADMIN_KEY (or RUNHOOK_ADMIN_KEY_FILE) must be set in production"
      )
    })
  )

  it.live("makes the secrets of development once, for their owner alone", () =>
    Effect.gen(function* () {
      const first = yield* developmentServer()
      const second = yield* runningServer(first.settings)

      const { mode } = yield* Effect.promise(() => stat(join(first.dataDir, "secrets.json")))
      assert.strictEqual(mode & 0o777, 0o600)
      assert.match(first.banner, /rhadmin_\w{8}_\w{49}\n +printed this once, and kept in .*secrets\.json/)
      assert.match(second.banner, /Admin key +kept in .*secrets\.json/)
    })
  )

  it.live("names the setting of the directory that cannot keep artifacts", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const memory = {
        RUNHOOK_DATA_DIR: dataDir,
        RUNHOOK_STORE: "memory",
        RUNHOOK_DEMO: "off",
        RUNHOOK_PORT: "0"
      }
      yield* Effect.promise(() => writeFile(join(dataDir, "artifacts"), ""))

      const usual = yield* runhook(["start"], memory)
      const own = yield* runhook(["start"], { ...memory, RUNHOOK_ARTIFACTS_DIR: "/dev/null" })

      assert.deepStrictEqual([usual.code, own.code], [1, 1])
      assert.match(usual.stderr, /^runhook: RUNHOOK_DATA_DIR: Artifacts cannot be kept in .*\n$/)
      assert.match(
        own.stderr,
        /^runhook: RUNHOOK_ARTIFACTS_DIR: Artifacts cannot be kept in \/dev\/null: .*\n$/
      )
    })
  )

  it.live.each([
    [
      "postgres://runhook:hush@127.0.0.1:1/runhook",
      "no database answers there (ECONNREFUSED): start it, or correct host and port"
    ],
    ["postgres://runhook:hush@127.0.0.1:port/runhook", undefined]
  ] as const)("says in one line why it has no database at %s, without the password", ([url, reason]) =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory

      const { code, stderr } = yield* runhook([], {
        ...production,
        RUNHOOK_DATA_DIR: dataDir,
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_PORT: "0"
      })

      assert.strictEqual(code, 1)
      assert.deepStrictEqual(linesOf(stderr), [
        reason === undefined
          ? "runhook: RUNHOOK_DATABASE_URL must be like postgres://user:password@host/database: write the # / ? and % of a password as %23 %2F %3F and %25"
          : `runhook: RUNHOOK_DATABASE_URL: ${reason}`
      ])
    })
  )

  it.live("says in one line that its data directory cannot be used", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "file")
      yield* Effect.promise(() => writeFile(file, ""))

      const { code, stderr } = yield* runhook([], {
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: join(file, "data")
      })

      assert.strictEqual(code, 1)
      assert.deepStrictEqual(linesOf(stderr), [
        `runhook: RUNHOOK_DATA_DIR cannot be used: ${join(file, "data")}: a part of the path is a file and not a folder (ENOTDIR); set it to a directory of this user`
      ])
    })
  )

  it.live.each(["/proc", "/proc/x"])("says in one line that nothing can be kept in %s", (directory) =>
    Effect.gen(function* () {
      const { code, stderr } = yield* runhook([], {
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: directory
      })

      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^runhook: RUNHOOK_DATA_DIR cannot be (?:used|written): \/proc.*; set it to a directory of this user\n$/
      )
    })
  )
})
