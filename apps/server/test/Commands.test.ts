import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { bodyOf, request } from "./Http.ts"
import { developmentServer, runhook, SharedServer } from "./RunhookProcess.ts"

const Account = Schema.fromJsonString(Schema.Struct({ id: Schema.String, name: Schema.String }))
const Key = Schema.fromJsonString(
  Schema.Struct({ id: Schema.String, key: Schema.String, signing_secret: Schema.String })
)
const decodeAccount = Schema.decodeEffect(Account)
const decodeLink = Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({ url: Schema.String })))
const decodeMadeLink = Schema.decodeEffect(
  Schema.fromJsonString(Schema.Struct({ id: Schema.String, url: Schema.String }))
)
const SignedIn = Schema.Struct({
  id: Schema.String,
  accounts: Schema.NonEmptyArray(Schema.Struct({ id: Schema.String, person: Schema.String }))
})
const decodeKey = Schema.decodeEffect(Key)

describe("the commands", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "make an account and a key that opens it until it is revoked",
      () =>
        Effect.gen(function* () {
          const { baseUrl, settings } = yield* SharedServer
          const run = (...args: ReadonlyArray<string>) =>
            runhook(args, { ...settings, RUNHOOK_BASE_URL: baseUrl })
          const statusWith = (key: string) =>
            Effect.map(
              request(`${baseUrl}/api/v1/integrations/tasks`, {
                headers: { authorization: `Bearer ${key}` }
              }),
              ({ status }) => status
            )

          const account = yield* decodeAccount((yield* run("accounts", "create", "Acme")).stdout)
          const made = yield* run("keys", "create", "--account", account.id, "--name", "Orders")
          const { id, key } = yield* decodeKey(made.stdout)
          const limited = yield* run("accounts", "limit", "--account", account.id, "--per-second", "30")
          const unlimited = yield* run("accounts", "limit", "--account", account.id, "--default")
          const before = yield* statusWith(key)
          const revoked = yield* run("keys", "revoke", "--account", account.id, "--key", id)

          assert.deepStrictEqual([account.name, made.code, revoked.code, revoked.stdout], ["Acme", 0, 0, ""])
          assert.deepStrictEqual([before, yield* statusWith(key)], [200, 401])
          assert.include(limited.stdout, '"rate_limit": {\n    "per_second": 30,\n    "burst": 300\n  }')
          assert.include(unlimited.stdout, '"rate_limit": null')
          const list = yield* run("keys", "list", "--account", account.id)
          assert.include(list.stdout, id)
          assert.notInclude(list.stdout, key)
        }),
      60_000
    )

    it.effect(
      "set how long an account keeps executions, and remove it once its name is typed",
      () =>
        Effect.gen(function* () {
          const { baseUrl, settings } = yield* SharedServer
          const run = (args: ReadonlyArray<string>, input = "") =>
            runhook(["accounts", ...args], { ...settings, RUNHOOK_BASE_URL: baseUrl }, input)
          const { id } = yield* decodeAccount((yield* run(["create", "Kestrel"])).stdout)
          const kept = [
            yield* run(["keep", "--account", id, "--days", "90"]),
            yield* run(["keep", "--account", id])
          ]

          const removals = [
            yield* run(["remove", "Kestrel"], "kestrel\n"),
            yield* run(["remove", "Kestrel"], "Kestrel\n"),
            yield* run(["remove", id, "--yes"])
          ]

          assert.include(kept[0]?.stdout, '"retention_days": 90')
          assert.include(kept[1]?.stdout, '"retention_days": null')
          assert.deepStrictEqual(
            removals.map(({ code }) => code),
            [1, 0, 1]
          )
          assert.include(removals[0]?.stderr, "That is not its name: nothing was removed")
          assert.include(removals[2]?.stderr, `There is no account ${id}`)
        }),
      60_000
    )

    it.effect(
      "say in one line what the server refuses, and that there is none",
      () =>
        Effect.gen(function* () {
          const { baseUrl, settings } = yield* SharedServer
          const here = { ...settings, RUNHOOK_BASE_URL: baseUrl }

          const unknown = yield* runhook(
            ["keys", "list", "--account", "01890000-0000-7000-8000-000000000000"],
            here
          )
          const locked = yield* runhook(["accounts", "list"], { ...here, RUNHOOK_ADMIN_KEY: "x".repeat(32) })
          const nobody = yield* runhook(["accounts", "list"], {
            ...here,
            RUNHOOK_BASE_URL: "http://127.0.0.1:1"
          })
          const half = yield* runhook(
            ["accounts", "limit", "--account", "01890000-0000-7000-8000-000000000000", "--burst", "9"],
            here
          )
          const keyless = yield* runhook(["accounts", "list"], { RUNHOOK_DATA_DIR: "/nowhere" })

          assert.deepStrictEqual(
            [unknown, locked, nobody, half, keyless].map(({ code, stderr, stdout }) => [
              code,
              stderr,
              stdout
            ]),
            [
              [1, "runhook: There is no such thing, or it belongs to another account\n", ""],
              [1, "runhook: A valid key is required in the Authorization header: Bearer <key>\n", ""],
              [
                1,
                "runhook: No server answers at http://127.0.0.1:1: start one, or set RUNHOOK_BASE_URL to where it is\n",
                ""
              ],
              [1, "runhook: --burst goes with --per-second: name both\n", ""],
              [
                1,
                "runhook: There is no admin key: set RUNHOOK_ADMIN_KEY (the server has not kept one in /nowhere either)\n",
                ""
              ]
            ]
          )
        }),
      60_000
    )

    it.effect("check what a server needs", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer

        const well = yield* runhook(["doctor"], { ...settings, RUNHOOK_BASE_URL: baseUrl })
        const ill = yield* runhook(["doctor"], { ...settings, RUNHOOK_BASE_URL: "http://127.0.0.1:1" })

        assert.deepStrictEqual([well.code, well.stdout.match(/^ok/gm)?.length], [0, 4])
        const databaseless = yield* runhook(["doctor"], {
          ...settings,
          RUNHOOK_STORE: "",
          RUNHOOK_DATABASE_URL: "postgres://runhook:hush@127.0.0.1:1/runhook"
        })

        assert.match(
          databaseless.stdout,
          /^FAIL {2}database +RUNHOOK_DATABASE_URL: no database answers there \(ECONNREFUSED\): start it/m
        )
        assert.strictEqual(ill.code, 1)
        assert.match(ill.stdout, /^FAIL {2}server +none answers at http:\/\/127\.0\.0\.1:1/m)
      })
    )
  })

  it.live(
    "make a link to the Integrations page that signs in once, and ask which account where there are several",
    () =>
      Effect.gen(function* () {
        const { banner, baseUrl, settings } = yield* developmentServer()
        const run = (...args: ReadonlyArray<string>) =>
          runhook(["console-link", ...args], { ...settings, RUNHOOK_BASE_URL: baseUrl })
        const signIn = (url: string) =>
          Effect.map(
            request(`${baseUrl}/api/v1/admin/session`, {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ token: new URL(url).hash.slice(1) })
            }),
            ({ status }) => status
          )
        const [printed = ""] = /http\S+sign-in#\S+/.exec(banner) ?? []

        const made = yield* run("--role", "viewer", "--name", "Ada")
        const { url } = yield* decodeLink(made.stdout)
        const outcomes = yield* Effect.forEach([printed, url, url], signIn)
        yield* runhook(["accounts", "create", "Acme"], { ...settings, RUNHOOK_BASE_URL: baseUrl })
        const unsaid = yield* run()

        assert.isTrue(url.startsWith(`${baseUrl}/integrations/sign-in#`))
        assert.deepStrictEqual(outcomes, [200, 200, 401])
        assert.strictEqual(unsaid.code, 1)
        assert.match(
          unsaid.stderr,
          /^runhook: There are several accounts: say which one\.\n +--account [0-9a-f-]{36} {2}Acme\n +--account [0-9a-f-]{36} {2}Demo\n$/
        )
      }),
    60_000
  )

  it.live(
    "list who is signed in to the Integrations page, put them out, and take links back",
    () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* developmentServer()
        const here = { ...settings, RUNHOOK_BASE_URL: baseUrl }
        const run = (...args: ReadonlyArray<string>) => runhook(args, here)
        const used = yield* Effect.flatMap(run("console-link", "--name", "Ada"), ({ stdout }) =>
          decodeMadeLink(stdout)
        )
        const browser = yield* request(`${baseUrl}/api/v1/admin/session`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ token: new URL(used.url).hash.slice(1) })
        })
        const open = yield* Effect.flatMap(run("console-link"), ({ stdout }) => decodeMadeLink(stdout))
        const { accounts, id } = yield* bodyOf(SignedIn)(browser)
        const [{ id: account, person }] = accounts
        const inAccount = ["--account", account]

        const before = yield* run("console-sessions", "list", ...inAccount)
        const withdrawn = yield* run("console-links", "withdraw", ...inAccount, "--link", open.id)
        const ended = yield* run("console-sessions", "end", ...inAccount, "--session", id)
        const nobody = yield* run("console-sessions", "end-person", ...inAccount, "--person", person)
        const after = yield* run("console-sessions", "list", ...inAccount)
        const links = yield* run("console-links", "list", ...inAccount)

        assert.deepStrictEqual(
          [withdrawn, ended, nobody].map(({ code, stdout }) => [code, stdout]),
          [
            [0, ""],
            [0, ""],
            [0, ""]
          ]
        )
        assert.include(before.stdout, id)
        assert.notInclude(after.stdout, id)
        assert.match(links.stdout, /"state": "withdrawn"[^]*"state": "used"/)
        assert.notInclude(links.stdout, new URL(open.url).hash.slice(1))
      }),
    60_000
  )

  it.live("verify a callback that was kept, and say why they believe it or not", () =>
    Effect.gen(function* () {
      const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
      const body = `{"event_id":"e1","type":"webhook.test"}`
      const signature = createHmac("sha256", secret).update(`${body}1767225600`).digest("hex")
      const verify = (...more: ReadonlyArray<string>) =>
        runhook(
          [
            "verify-webhook",
            "--timestamp",
            "1767225600",
            "--signature",
            signature,
            "--event-id",
            "e1",
            ...more
          ],
          { RUNHOOK_SIGNING_SECRET: secret },
          body
        )

      const kept = yield* verify("--received-at", "2026-01-01T00:00:10Z")
      const late = yield* verify("--received-at", "2026-01-01T01:00:00Z")

      assert.deepStrictEqual([kept.code, kept.stdout], [0, "Verified: webhook.test e1\n"])
      assert.deepStrictEqual(
        [late.code, late.stderr],
        [1, "runhook: Not verified: X-Webhook-Timestamp is more than 300 seconds off\n"]
      )
    })
  )

  it.live("print the OpenAPI document of each API", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(["integration", "runner", "admin"], (api) =>
        runhook(["openapi", api], {})
      )

      const decode = Schema.decodeOption(
        Schema.fromJsonString(Schema.Struct({ openapi: Schema.Literal("3.1.0") }))
      )
      assert.isTrue(answers.every(({ code, stdout }) => code === 0 && Option.isSome(decode(stdout))))
    })
  )
})
