import { mailAddressRule } from "@runhook/core/shared/MailAddress"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { given, settings } from "../src/config.ts"
import { temporaryDirectory } from "./RunhookProcess.ts"

const read = (env: Record<string, string>) =>
  given.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })))

const notProxyUrl =
  "must be like http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128"

const account = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"
const notIssuer = "must be an https URL such as https://login.example.com, as the provider calls itself"
const notBucket = "must be like s3://bucket/prefix, in letters, digits, dots, dashes and underscores"
const notOrigin = "must be like https://minio.example.com:9000, without a path"
const notMailUrl =
  "must be like smtp://user:password@mail.example.com:587, or smtps:// for TLS from the beginning"
const notRules =
  "must be like example.com=<account id>:viewer,ada@example.com=<account id>:admin,group:ops=<account id>:admin"

describe("the settings", () => {
  it.effect("have their defaults where nothing is set, or an empty text, and are undefined without one", () =>
    Effect.gen(function* () {
      const values = yield* read({ RUNHOOK_PORT: "", RUNHOOK_MODE: "" })

      assert.deepStrictEqual(
        [values.port, values.host, values.roles],
        [8_700, "127.0.0.1", ["api", "dispatcher"]]
      )
      assert.deepStrictEqual(
        [values.mode, values.secretKey, values.egressProxy],
        ["production", undefined, undefined]
      )
    })
  )

  it.effect("are read from their texts", () =>
    Effect.gen(function* () {
      const values = yield* read({
        RUNHOOK_PORT: "0",
        RUNHOOK_BASE_URL: "https://example.com/runhook/",
        RUNHOOK_ROLES: "api, dispatcher",
        RUNHOOK_RATE_LIMIT: "5/s burst 50",
        RUNHOOK_RUNNER_RATE_LIMIT: "off",
        RUNHOOK_TRUST_PROXY: "2",
        RUNHOOK_MAX_LIVE: "12",
        RUNHOOK_EGRESS_PROXY: "http://user:secret@proxy.example.com:3128",
        RUNHOOK_SMTP_URL: "smtps://ops%40example.com:p%2Fss@[::1]",
        RUNHOOK_ALERT_FROM: "alerts@example.com"
      })
      const plain = yield* read({ RUNHOOK_SMTP_URL: "smtp://mail.example.com/" })

      assert.strictEqual(values.port, 0)
      assert.strictEqual(values.baseUrl, "https://example.com/runhook")
      assert.deepStrictEqual(values.roles, ["api", "dispatcher"])
      assert.deepStrictEqual(values.rateLimit, { perSecond: 5, burst: 50 })
      assert.strictEqual(values.runnerRateLimit, null)
      assert.strictEqual(values.trustedProxies, 2)
      assert.strictEqual(values.accountMaxLive, 12)
      assert.strictEqual(values.egressProxy && Redacted.value(values.egressProxy).port, "3128")
      assert.strictEqual(values.alertFrom, "alerts@example.com")
      assert.deepStrictEqual(
        [values, plain].map(({ mailServer }) => mailServer && Redacted.value(mailServer)),
        [
          {
            host: "::1",
            port: 465,
            isSecure: true,
            credentials: { user: "ops@example.com", password: "p/ss" }
          },
          { host: "mail.example.com", port: 587, isSecure: false, credentials: null }
        ]
      )
    })
  )

  it.effect.each([
    ["RUNHOOK_MODE", "staging", "must be development or production"],
    ["RUNHOOK_HOST", "localhost/path", "must be an address or a host name, without a port"],
    ["RUNHOOK_PORT", "65536", "must be a whole number from 0 to 65535"],
    ["RUNHOOK_PORT", "80.5", "must be a whole number from 0 to 65535"],
    [
      "RUNHOOK_BASE_URL",
      "ftp://files.example.com",
      "must be an http or https URL such as https://runhook.example.com"
    ],
    [
      "RUNHOOK_BASE_URL",
      "https://a.example?b",
      "must be an http or https URL such as https://runhook.example.com"
    ],
    ...["/a b", "/a;b", "/a//b", "/x/api/v1"].map(
      (path) =>
        [
          "RUNHOOK_BASE_URL",
          `https://a.example${path}`,
          "may have a path like /runhook: of letters, digits, -, ., _ and ~, without /api/v1"
        ] as const
    ),
    [
      "RUNHOOK_ARTIFACTS_FREE_SPACE",
      "1.5 GB",
      "must be off, or a whole number of MiB, GiB or TiB such as 10GiB"
    ],
    ["RUNHOOK_STORE", "sqlite", "must be postgres or memory"],
    [
      "RUNHOOK_DATABASE_URL",
      "mysql://db/a",
      "must be like postgres://user:password@host/database: write the # / ? and % of a password as %23 %2F %3F and %25"
    ],
    ["RUNHOOK_EGRESS_PROXY", "https://proxy.example.com", notProxyUrl],
    ["RUNHOOK_EGRESS_PROXY", "http://proxy.example.com/path", notProxyUrl],
    ["RUNHOOK_EGRESS_PROXY", "http://%zz@proxy.example.com", notProxyUrl],
    ["RUNHOOK_SMTP_URL", "https://mail.example.com", notMailUrl],
    ["RUNHOOK_SMTP_URL", "mail.example.com:587", notMailUrl],
    ["RUNHOOK_SMTP_URL", "smtp://user@mail.example.com", notMailUrl],
    ["RUNHOOK_SMTP_URL", "smtp://user:%zz@mail.example.com", notMailUrl],
    ["RUNHOOK_SMTP_URL", "smtp://mail.example.com/inbox", notMailUrl],
    ["RUNHOOK_ALERT_FROM", "alerts", mailAddressRule],
    ["RUNHOOK_ALERT_FROM", "Runhook <alerts@example.com>", mailAddressRule],
    ["RUNHOOK_DEMO", "yes", "must be on or off"],
    ["RUNHOOK_ROLES", "api,cook", "must name api, dispatcher or both, separated by a comma"],
    ["RUNHOOK_ARTIFACTS_URL", "ftp://x", notBucket],
    ["RUNHOOK_ARTIFACTS_URL", "s3://UPPER", notBucket],
    ["RUNHOOK_ARTIFACTS_URL", "s3://bucket/../other", notBucket],
    ["RUNHOOK_ARTIFACTS_URL", "s3://bucket/a b", notBucket],
    ["RUNHOOK_ARTIFACTS_ENCRYPTION", "rot13", "must be AES256, aws:kms or aws:kms:<key id>"],
    ["AWS_ENDPOINT_URL", "minio:9000", notOrigin],
    ["AWS_ENDPOINT_URL_S3", "https://minio.example.com/path", notOrigin],
    ["RUNHOOK_OIDC_ISSUER", "http://login.example.com", notIssuer],
    ["RUNHOOK_OIDC_ISSUER", "https://login.example.com/?tenant=1", notIssuer],
    ["RUNHOOK_OIDC_ALLOW", "example.com=viewer", notRules],
    ["RUNHOOK_OIDC_ALLOW", `example.com=${account}:owner`, notRules],
    ["RUNHOOK_OIDC_ALLOW", `everybody=${account}:viewer`, notRules],
    ["RUNHOOK_LOG_LEVEL", "loud", "must be debug or info or warn or error or none"],
    ["RUNHOOK_MAX_LIVE", "0", "must be a whole number from 1 to 10000000"],
    [
      "RUNHOOK_ADMIN_KEY",
      "too-short",
      "must be at least 32 characters without spaces; make one with: openssl rand -hex 32"
    ],
    [
      "RUNHOOK_RATE_LIMIT",
      "fast",
      'must be off, or like "20/s burst 200", of at most 100000 a second and a burst of 1000000'
    ],
    [
      "RUNHOOK_SECRET_KEY",
      "c2hvcnQ=",
      "is wrong: Secret key 1 is not the base64 of 32 bytes (44 characters); make one with: openssl rand -base64 32"
    ]
  ] as const)("say what is wrong with %s=%s", ([name, text, rule]) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(read({ ...inUse, [name]: text }))

      assert.deepStrictEqual(refused.problems, [`${name} ${rule}`])
    })
  )

  it.effect.each([
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_RESOURCE_ATTRIBUTES", "none"],
    ["OTEL_METRIC_EXPORT_INTERVAL", "1s"],
    ["AWS_ENDPOINT_URL", "https://minio.example.com/path"],
    ["AWS_REGION", "the moon"],
    ["AWS_ACCESS_KEY_ID_FILE", "/nowhere"]
  ] as const)("are as if unset where nothing uses them: %s", ([name, text]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read({ [name]: text }), yield* read({}))
    })
  )

  it.effect("say everything that is wrong at once", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(read({ RUNHOOK_PORT: "x", RUNHOOK_DEMO: "x" }))

      assert.strictEqual(refused.problems.length, 2)
    })
  )

  const secrets = {
    AWS_ACCESS_KEY_ID: "hush",
    AWS_SECRET_ACCESS_KEY: "hush",
    AWS_SESSION_TOKEN: "hush",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=hush",
    RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
    RUNHOOK_DATABASE_URL: "postgres://runhook:hush@127.0.0.1/runhook",
    RUNHOOK_EGRESS_PROXY: "http://user:hush@proxy.example.com:3128/",
    RUNHOOK_OIDC_CLIENT_SECRET: "hush",
    RUNHOOK_SMTP_URL: "smtp://runhook:hush@mail.example.com",
    RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
  }

  it("that are secrets are these", () => {
    const names = Object.values(settings).flatMap(({ isSecret, name }) => (isSecret ? [name] : []))

    assert.sameMembers(names, Object.keys(secrets))
  })

  it.live.each(Object.entries(secrets))(
    "take %s from a file, up to its last line break, also if it is set to the same",
    ([name, text]) =>
      Effect.gen(function* () {
        const file = join(yield* temporaryDirectory, "secret")
        yield* Effect.promise(() => writeFile(file, `${text}\r\n`))

        const values = yield* read({ [`${name}_FILE`]: file })

        const direct = yield* read({ [name]: text })
        const both = yield* read({ [name]: text, [`${name}_FILE`]: file })
        for (const each of [values, both])
          assert.deepStrictEqual(Object.values(each).map(unveiled), Object.values(direct).map(unveiled))
      })
  )

  it.live.each(Object.keys(secrets))("say in one line what is wrong with the file of %s", (name) =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "secret")
      yield* Effect.promise(() => writeFile(file, "\n"))
      const problemsOf = (env: Record<string, string>) =>
        Effect.map(Effect.flip(read({ ...inUse, ...env })), ({ problems }) => problems)

      const problems = [
        yield* problemsOf({ [name]: "hush", [`${name}_FILE`]: file }),
        yield* problemsOf({ [`${name}_FILE`]: "/nowhere" }),
        yield* problemsOf({ [`${name}_FILE`]: file })
      ]

      assert.deepStrictEqual(problems, [
        [`${name} and ${name}_FILE have different values: unset one of them`],
        [`${name}_FILE cannot be read: /nowhere (ENOENT)`],
        [`The content of ${name}_FILE is empty`]
      ])
    })
  )
})

/** Without these, the variables of OpenTelemetry and of the bucket count for nothing. */
const inUse = {
  OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
  RUNHOOK_ARTIFACTS_URL: "s3://files"
}

const unveiled = (value: unknown): unknown => (Redacted.isRedacted(value) ? Redacted.value(value) : value)
