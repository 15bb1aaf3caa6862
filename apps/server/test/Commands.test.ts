import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { bodyOf, request } from "./Http.ts"
import { run, runhook, SharedServer } from "./RunhookProcess.ts"

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

const signIn = (baseUrl: string, url: string) =>
  request(`${baseUrl}/api/v1/admin/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: new URL(url).hash.slice(1) })
  })

describe("the commands", () => {
  it.layer(SharedServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "make a link to the Integrations page that signs in once, and ask which account where there are several",
      () =>
        Effect.gen(function* () {
          const { banner, baseUrl } = yield* SharedServer
          const [printed = ""] = /http\S+sign-in#\S+/.exec(banner) ?? []

          const made = yield* run("console-link", "--role", "viewer", "--name", "Ada")
          const { url } = yield* decodeLink(made.stdout)
          const outcomes = yield* Effect.forEach([printed, url, url], (each) => signIn(baseUrl, each))
          yield* run("accounts", "create", "Acme")
          const unsaid = yield* run("console-link")

          assert.isTrue(url.startsWith(`${baseUrl}/integrations/sign-in#`))
          assert.deepStrictEqual(
            outcomes.map(({ status }) => status),
            [200, 200, 401]
          )
          assert.strictEqual(unsaid.code, 2)
          assert.match(
            unsaid.stderr,
            /^runhook: There are several accounts: say which one by its id\.\n +[0-9a-f-]{36} {2}Acme\n +[0-9a-f-]{36} {2}Demo\n$/
          )
        })
    )

    it.effect("make an account and a key that opens it until it is revoked, by their names", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const statusWith = (key: string) =>
          Effect.map(
            request(`${baseUrl}/api/v1/integrations/tasks`, {
              headers: { authorization: `Bearer ${key}` }
            }),
            ({ status }) => status
          )

        const account = yield* decodeAccount((yield* run("accounts", "create", "Meridian")).stdout)
        const made = yield* run("keys", "create", "--account", "Meridian", "--name", "Orders")
        const { id, key } = yield* decodeKey(made.stdout)
        const limited = yield* run("accounts", "limit", "--account", account.id, "--per-second", "30")
        const unlimited = yield* run("accounts", "limit", "--account", "Meridian", "--default")
        const before = yield* statusWith(key)
        const revoked = yield* run("keys", "revoke", "Orders", "--account", "Meridian")

        assert.deepStrictEqual(
          [account.name, made.code, revoked.code, revoked.stdout],
          ["Meridian", 0, 0, ""]
        )
        assert.deepStrictEqual([before, yield* statusWith(key)], [200, 401])
        assert.include(limited.stdout, '"rate_limit": {\n    "per_second": 30,\n    "burst": 300\n  }')
        assert.include(unlimited.stdout, '"rate_limit": null')
        const list = yield* run("keys", "list", "--account", account.id)
        assert.include(list.stdout, id)
        assert.notInclude(list.stdout, key)
      })
    )

    it.effect("set how long an account keeps executions, and remove it once its name is typed", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer
        const remove = (input: string, ...args: ReadonlyArray<string>) =>
          runhook(["accounts", "remove", ...args], { ...settings, RUNHOOK_BASE_URL: baseUrl }, input)
        const { id } = yield* decodeAccount((yield* run("accounts", "create", "Parting")).stdout)
        const kept = [
          yield* run("accounts", "keep", "--account", id, "--days", "90"),
          yield* run("accounts", "keep", "--account", id)
        ]

        const removals = [
          yield* remove("parting\n", "Parting"),
          yield* remove("Parting\n", "Parting"),
          yield* remove("", id, "--yes")
        ]

        assert.include(kept[0]?.stdout, '"retention_days": 90')
        assert.include(kept[1]?.stdout, '"retention_days": null')
        assert.deepStrictEqual(
          removals.map(({ code }) => code),
          [1, 0, 3]
        )
        assert.include(removals[0]?.stderr, "That is not its name: nothing was removed")
        assert.include(removals[2]?.stderr, `There is no account named "${id}"`)
      })
    )

    it.effect("print tables and fields for people where they are told to", () =>
      Effect.gen(function* () {
        yield* run("agents", "create", "--account", "Demo", "--name", "Portal")

        const list = yield* run("agents", "list", "--account", "Demo", "--no-json")
        const one = yield* run("agents", "get", "Portal", "--account", "Demo", "--no-json")

        assert.match(
          list.stdout,
          /^ID +NAME +STATUS +BUSY +CAPACITY +QUEUED +RUNNERS +LAST SEEN\n[0-9a-f-]{36} {2}Portal +offline +0 +1 +0 +0 +-\n[0-9a-f-]{36} {2}demo-agent .+\n$/
        )
        assert.match(one.stdout, /^name {10}Portal$/m)
        assert.notInclude(one.stdout, "request_id")
      })
    )

    it.effect("list who is signed in to the Integrations page, put them out, and take links back", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* SharedServer
        const inAccount = ["--account", "Demo"]
        const used = yield* Effect.flatMap(run("console-link", ...inAccount, "--name", "Ada"), ({ stdout }) =>
          decodeMadeLink(stdout)
        )
        const browser = yield* signIn(baseUrl, used.url)
        const open = yield* Effect.flatMap(run("console-link", ...inAccount), ({ stdout }) =>
          decodeMadeLink(stdout)
        )
        const { accounts, id } = yield* bodyOf(SignedIn)(browser)
        const [{ person }] = accounts

        const before = yield* run("console-sessions", "list", ...inAccount)
        const withdrawn = yield* run("console-links", "withdraw", open.id, ...inAccount)
        const ended = yield* run("console-sessions", "end", id, ...inAccount)
        const nobody = yield* run("console-sessions", "end-person", person, ...inAccount)
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
      })
    )

    it.effect("say in one line what the server refuses, and that there is none, with a code for each", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer
        const here = { ...settings, RUNHOOK_BASE_URL: baseUrl }
        yield* run("accounts", "create", "Twin")
        yield* run("accounts", "create", "Twin")

        const unknown = yield* run("keys", "list", "--account", "01890000-0000-7000-8000-000000000000")
        const unnamed = yield* run("keys", "list", "--account", "Nobody")
        const twins = yield* run("keys", "list", "--account", "Twin")
        const locked = yield* runhook(["accounts", "list"], { ...here, RUNHOOK_ADMIN_KEY: "x".repeat(32) })
        const nobody = yield* runhook(["accounts", "list"], {
          ...here,
          RUNHOOK_BASE_URL: "http://127.0.0.1:2"
        })
        const half = yield* run("accounts", "limit", "--account", "Demo", "--burst", "9")
        const misspelt = yield* run("keys", "list", "--limit", "0")
        const keyless = yield* runhook(["accounts", "list"], { RUNHOOK_DATA_DIR: "/nowhere" })

        assert.deepStrictEqual(
          [unknown, unnamed, locked, nobody, half, keyless].map(({ code, stderr, stdout }) => [
            code,
            stderr,
            stdout
          ]),
          [
            [3, "runhook: Not found, or it belongs to another account\n", ""],
            [
              3,
              'runhook: There is no account named "Nobody": see runhook accounts list, or make one with runhook accounts create\n',
              ""
            ],
            [4, "runhook: A valid key is required in the Authorization header: Bearer <key>\n", ""],
            [
              5,
              "runhook: Could not reach http://127.0.0.1:2: fetch failed: connect ECONNREFUSED 127.0.0.1:2. Start a server, or set RUNHOOK_BASE_URL to where it is\n",
              ""
            ],
            [2, "runhook: --burst goes with --per-second: name both\n", ""],
            [
              1,
              "runhook: There is no admin key: set RUNHOOK_ADMIN_KEY (the server has not kept one in /nowhere either)\n",
              ""
            ]
          ]
        )
        assert.strictEqual(twins.code, 2)
        assert.match(
          twins.stderr,
          /named "Twin": say which one by its id\.(?:\n {2}[0-9a-f-]{36} {2}Twin){2}\n$/
        )
        assert.strictEqual(misspelt.code, 2)
      })
    )

    it.effect("check what a server needs", () =>
      Effect.gen(function* () {
        const { baseUrl, settings } = yield* SharedServer

        const well = yield* runhook(["doctor"], { ...settings, RUNHOOK_BASE_URL: baseUrl })
        const ill = yield* runhook(["doctor"], { ...settings, RUNHOOK_BASE_URL: "http://127.0.0.1:1" })
        const full = yield* runhook(["doctor"], {
          ...settings,
          RUNHOOK_BASE_URL: baseUrl,
          RUNHOOK_ARTIFACTS_FREE_SPACE: "1000TiB"
        })
        const databaseless = yield* runhook(["doctor"], {
          ...settings,
          RUNHOOK_STORE: "",
          RUNHOOK_DATABASE_URL: "postgres://runhook:hush@127.0.0.1:1/runhook",
          RUNHOOK_SMTP_URL: "smtp://runhook:hush@127.0.0.1:1",
          RUNHOOK_ALERT_FROM: "alerts@example.com"
        })

        assert.deepStrictEqual([well.code, well.stdout.match(/^ok/gm)?.length], [0, 5])
        assert.strictEqual(full.code, 1)
        assert.match(
          full.stdout,
          /^FAIL {2}files +.+ has \d+ bytes free, and needs more than 1099511627776000: make room there, or set RUNHOOK_ARTIFACTS_FREE_SPACE to less$/m
        )
        assert.match(
          databaseless.stdout,
          /^FAIL {2}database +RUNHOOK_DATABASE_URL: no database answers there \(ECONNREFUSED\): start it/m
        )
        assert.match(
          databaseless.stdout,
          /^FAIL {2}mail +RUNHOOK_SMTP_URL: The mail server cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1$/m
        )
        assert.notInclude(databaseless.stdout + databaseless.stderr, "hush")
        assert.strictEqual(ill.code, 1)
        assert.match(ill.stdout, /^FAIL {2}server +none answers at http:\/\/127\.0\.0\.1:1/m)
      })
    )
  })
})
