import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { production, settingsOf } from "./Settings.ts"

describe("the settings that files hold", () => {
  it.effect("take the secret key from a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "secret key")
      yield* Effect.promise(() => writeFile(file, `${production.RUNHOOK_SECRET_KEY}\n`))

      const { secretKey: ring } = yield* settingsOf({
        ...production,
        RUNHOOK_SECRET_KEY: "",
        RUNHOOK_SECRET_KEY_FILE: file
      })

      const direct = yield* settingsOf(production)
      assert.strictEqual(ring?.[0].id, direct.secretKey?.[0].id)
    })
  )

  it.effect("take certificates of authorities from a file", () =>
    Effect.gen(function* () {
      const two = rootCertificates.slice(0, 2)
      const file = join(yield* temporaryDirectory, "authorities.pem")
      yield* Effect.promise(() => writeFile(file, `# Ours\n${two.join("\n\n")}\n`))

      const { authorities } = yield* settingsOf({ ...production, RUNHOOK_CA_BUNDLE: file })

      assert.deepStrictEqual(authorities, two)
    })
  )

  it.effect("refuse a file of authorities that holds something broken", () =>
    Effect.gen(function* () {
      const broken = "-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----"
      const directory = yield* temporaryDirectory

      const messages = yield* Effect.forEach(["", broken, `${rootCertificates[0]}\n${broken}`], (content) => {
        const file = join(directory, "authorities.pem")
        const written = Effect.promise(() => writeFile(file, content))
        return Effect.andThen(
          written,
          Effect.flip(settingsOf({ ...production, RUNHOOK_CA_BUNDLE: file }))
        ).pipe(Effect.map(({ message }) => message.replace(file, "it")))
      })

      const rule = "RUNHOOK_CA_BUNDLE must hold certificates in PEM, and nothing broken: it"
      assert.deepStrictEqual(messages, [rule, rule, rule])
    })
  )

  it.effect("name the bucket of artifacts, and how its store is reached", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "secret")
      yield* Effect.promise(() => writeFile(file, "hush\n"))
      const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY_FILE: file }
      const amazon = { ...production, ...keys, RUNHOOK_ARTIFACTS_URL: "s3://files" }
      const minio = { AWS_ENDPOINT_URL: "http://minio:9000/", RUNHOOK_ARTIFACTS_URL: "s3://files/a/b/" }
      const all = [
        amazon,
        { ...amazon, AWS_REGION: "eu-central-1", RUNHOOK_ARTIFACTS_URL: "s3://files.example.com" },
        {
          ...amazon,
          ...minio,
          AWS_ENDPOINT_URL_S3: "http://s3:9000",
          RUNHOOK_ARTIFACTS_ADDRESSING: "virtual"
        },
        { ...amazon, ...minio, AWS_SESSION_TOKEN: "token", RUNHOOK_ARTIFACTS_ENCRYPTION: "aws:kms:alias/a" },
        { ...amazon, RUNHOOK_ARTIFACTS_ENCRYPTION: "aws:kms" },
        { ...production, ...keys }
      ]

      const buckets = yield* Effect.forEach(all, (each) =>
        Effect.map(settingsOf(each), ({ bucket }) => bucket)
      )

      const usual = {
        name: "files",
        prefix: "",
        region: "us-east-1",
        endpoint: null,
        addressing: "virtual",
        encryption: null,
        token: null
      } as const
      assert.deepStrictEqual(
        buckets.map((bucket) => bucket && Redacted.value(bucket.secretAccessKey)),
        ["hush", "hush", "hush", "hush", "hush", null]
      )
      assert.deepStrictEqual(
        buckets.map((bucket) => {
          if (bucket === null) return null
          const { accessKeyId: _, secretAccessKey: __, sessionToken, ...shown } = bucket
          return { ...shown, token: sessionToken && Redacted.value(sessionToken) }
        }),
        [
          usual,
          { ...usual, name: "files.example.com", region: "eu-central-1", addressing: "path" },
          { ...usual, prefix: "a/b", endpoint: "http://s3:9000" },
          {
            ...usual,
            prefix: "a/b",
            endpoint: "http://minio:9000",
            addressing: "path",
            encryption: { kmsKeyId: "alias/a" },
            token: "token"
          },
          { ...usual, encryption: { kmsKeyId: null } },
          null
        ]
      )
    }).pipe(Effect.scoped)
  )
})
