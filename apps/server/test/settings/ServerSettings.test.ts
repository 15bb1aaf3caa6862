import { availableParallelism } from "node:os"
import { assert, describe, it } from "@effect/vitest"
import { pageBytesMax } from "@runhook/core/shared/Page"
import { auditKept } from "@runhook/core/sweeps/Retention"
import { ExecutionLimits } from "@runhook/core/Settings"
import { defaultRateLimits } from "@runhook/http/limits/RateLimits"
import { connectionLimitsDefault } from "@runhook/http/listener/ConnectionLimits"
import { timeoutDefault } from "@runhook/store-pg/connections/Deadline"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { production, settingsOf } from "./Settings.ts"

describe("the settings of a server", () => {
  it.effect("are those of production unless development is asked for", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf(production)

      assert.strictEqual(settings.mode, "production")
      assert.isFalse(settings.hasDemo)
      assert.deepStrictEqual(settings.callbackTargets.networks, [])
    })
  )

  it.effect("keep the audit log for 400 days, or as long as is said", () =>
    Effect.gen(function* () {
      const usual = yield* settingsOf(production)
      const said = yield* settingsOf({ ...production, RUNHOOK_AUDIT_DAYS: "30" })

      assert.deepStrictEqual(
        [usual, said].map(({ retention }) => retention.audit && Duration.toDays(retention.audit)),
        [400, 30]
      )
    })
  )

  it.effect("have the defaults of the packages, which other hosts get", () =>
    Effect.gen(function* () {
      const settings = yield* settingsOf(production)

      assert.deepStrictEqual(settings.rateLimits, defaultRateLimits)
      assert.strictEqual(settings.pageBytes, pageBytesMax)
      assert.strictEqual(settings.connectionsMax, connectionLimitsDefault.connectionsMax)
      assert.deepStrictEqual(settings.databaseTimeout, timeoutDefault)
      assert.deepStrictEqual(settings.retention.audit, auditKept)
      assert.strictEqual(settings.accountMaxLive, (yield* ExecutionLimits).accountMaxLive)
    })
  )

  it.effect(
    "let the keys of an account ask for five times as much a second as one, for what is said, or for all",
    () =>
      Effect.gen(function* () {
        const limits = yield* Effect.forEach(
          [
            {},
            { RUNHOOK_RATE_LIMIT: "off" },
            { RUNHOOK_ACCOUNT_RATE_LIMIT: "7/s burst 8" },
            { RUNHOOK_ACCOUNT_RATE_LIMIT: "off" }
          ],
          (more) =>
            Effect.map(settingsOf({ ...production, ...more }), ({ accountRateLimit }) => accountRateLimit)
        )

        assert.deepStrictEqual(limits, [
          { perSecond: 100, burst: 200 },
          null,
          { perSecond: 7, burst: 8 },
          null
        ])
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

  it.effect("keep captured files under the data directory, or on a volume of their own with a floor", () =>
    Effect.gen(function* () {
      const [usual, own, open] = [
        yield* settingsOf({ ...production, RUNHOOK_DATA_DIR: "/data" }),
        yield* settingsOf({
          ...production,
          RUNHOOK_ARTIFACTS_DIR: "/files",
          RUNHOOK_ARTIFACTS_FREE_SPACE: "500MiB",
          RUNHOOK_ARTIFACTS_QUOTA: "10GiB"
        }),
        yield* settingsOf({ ...production, RUNHOOK_ARTIFACTS_FREE_SPACE: "off" })
      ]

      assert.deepStrictEqual(
        [usual.artifactsDir, usual.artifactsFreeSpace],
        ["/data/artifacts", 1_073_741_824]
      )
      assert.deepStrictEqual([own.artifactsDir, own.artifactsFreeSpace], ["/files", 524_288_000])
      assert.deepStrictEqual([usual.artifactQuota, own.artifactQuota], [null, 10 * 1024 ** 3])
      assert.strictEqual(open.artifactsFreeSpace, null)
    })
  )

  it.effect("take requests for 5 s after the notice of a stop, where a balancer needs them", () =>
    Effect.gen(function* () {
      const settings = yield* Effect.forEach(
        [
          production,
          { ...production, RUNHOOK_STOP_NOTICE: "0" },
          { ...production, RUNHOOK_ROLES: "dispatcher", RUNHOOK_DATABASE_URL: "postgres://a" },
          { RUNHOOK_MODE: "development" }
        ],
        settingsOf
      )

      assert.deepStrictEqual(
        settings.map(({ stopNotice }) => Duration.toSeconds(stopNotice)),
        [5, 0, 0, 0]
      )
    })
  )

  it.effect("keep everything in a database of the service, of the operator, or nowhere", () =>
    Effect.gen(function* () {
      const places = yield* Effect.forEach(
        [
          { RUNHOOK_DATA_DIR: "/data" },
          { RUNHOOK_DATABASE_URL: "postgres://a", RUNHOOK_ROLES: "dispatcher" },
          { RUNHOOK_STORE: "memory" }
        ],
        (more) => Effect.map(settingsOf({ ...production, ...more }), ({ roles, store }) => ({ roles, store }))
      )

      assert.deepStrictEqual(places, [
        { roles: ["api", "dispatcher"], store: { _tag: "Embedded", directory: "/data/postgres" } },
        { roles: ["dispatcher"], store: { _tag: "Server", url: Redacted.make("postgres://a") } },
        { roles: ["api", "dispatcher"], store: { _tag: "Memory" } }
      ])
    })
  )

  it.effect(
    "have one worker unless more are asked for, and by themselves no more than a database has room for",
    () =>
      Effect.gen(function* () {
        const counts = yield* Effect.forEach(
          [{}, { RUNHOOK_WORKERS: "3" }, { RUNHOOK_WORKERS: "auto" }],
          (more) => Effect.map(settingsOf({ ...production, ...more }), ({ workers }) => workers)
        )

        assert.deepStrictEqual(counts, [1, 3, Math.min(availableParallelism(), 5)])
      })
  )

  it.effect("say where people sign in, and who is let in", () =>
    Effect.gen(function* () {
      const account = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

      const { provider } = yield* settingsOf({
        ...production,
        RUNHOOK_OIDC_ISSUER: "https://login.example.com/tenant",
        RUNHOOK_OIDC_CLIENT_ID: "runhook",
        RUNHOOK_OIDC_CLIENT_SECRET: "a secret",
        RUNHOOK_OIDC_ALLOW: `example.com=${account}:viewer, ada@example.com=${account}:admin,group:a=b c=${account}:admin`
      })

      assert.strictEqual(provider?.issuer, "https://login.example.com/tenant")
      assert.deepStrictEqual(
        provider?.rules.map(({ role, who }) => [who, role]),
        [
          [{ _tag: "Domain", domain: "example.com" }, "viewer"],
          [{ _tag: "Address", address: "ada@example.com" }, "admin"],
          [{ _tag: "Group", group: "a=b c" }, "admin"]
        ]
      )
      assert.isNull((yield* settingsOf(production)).provider)
    })
  )

  it.effect.each([
    [{ RUNHOOK_CA_BUNDLE: "/nowhere" }, "RUNHOOK_CA_BUNDLE cannot be read: /nowhere"],
    [
      { RUNHOOK_STORE: "memory", RUNHOOK_DATABASE_URL: "postgres://a" },
      "RUNHOOK_STORE=memory and RUNHOOK_DATABASE_URL are both set"
    ],
    [
      { RUNHOOK_ARTIFACTS_URL: "s3://files", AWS_ACCESS_KEY_ID: "k" },
      "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or AWS_ACCESS_KEY_ID_FILE and AWS_SECRET_ACCESS_KEY_FILE) must be set"
    ],
    [{ RUNHOOK_ROLES: "api" }, "RUNHOOK_ROLES must be api,dispatcher unless RUNHOOK_DATABASE_URL is set"],
    [
      { RUNHOOK_ROLES: "dispatcher", RUNHOOK_STORE: "memory" },
      "RUNHOOK_ROLES must be api,dispatcher unless RUNHOOK_DATABASE_URL is set"
    ],
    [
      { RUNHOOK_OIDC_ISSUER: "https://login.example.com" },
      "RUNHOOK_OIDC_ISSUER, RUNHOOK_OIDC_CLIENT_ID, RUNHOOK_OIDC_CLIENT_SECRET and RUNHOOK_OIDC_ALLOW belong together"
    ],
    [
      { RUNHOOK_SMTP_URL: "smtp://mail.example.com" },
      "RUNHOOK_ALERT_FROM must be set for RUNHOOK_SMTP_URL: the address that alerts come from"
    ],
    [
      { RUNHOOK_ALERT_FROM: "alerts@example.com" },
      "RUNHOOK_SMTP_URL (or RUNHOOK_SMTP_URL_FILE) must be set for RUNHOOK_ALERT_FROM: the mail server"
    ],
    [{ RUNHOOK_WORKERS: "0" }, "RUNHOOK_WORKERS must be a whole number from 1 to 64, or auto"],
    [
      { RUNHOOK_WORKERS: "2", RUNHOOK_MODE: "development" },
      "RUNHOOK_WORKERS must be 1 in development and with"
    ],
    [{ RUNHOOK_WORKERS: "6", RUNHOOK_STORE: "memory" }, "RUNHOOK_WORKERS must be 1 in development and with"],
    [{ RUNHOOK_WORKERS: "6" }, "RUNHOOK_WORKERS must be at most 5 unless RUNHOOK_DATABASE_URL is set"],
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
