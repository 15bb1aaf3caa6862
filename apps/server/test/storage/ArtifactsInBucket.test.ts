import { assert, describe, it } from "@effect/vitest"
import { accessKeyId, type S3Server, s3Server, secretAccessKey } from "@runhook/test-support/s3/S3Server"
import * as Effect from "effect/Effect"
import { demoOf } from "../Demo.ts"
import { request } from "../Http.ts"
import { developmentServer, runhook } from "../RunhookProcess.ts"

const settingsOf = ({ port }: S3Server) => ({
  RUNHOOK_STORE: "memory",
  RUNHOOK_ARTIFACTS_URL: "s3://files/runs",
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey
})

const started = (server: S3Server) => developmentServer(settingsOf(server))

const textOf = (answer: Response) => Effect.promise(() => answer.text())

describe("a server with a bucket for artifacts", () => {
  it.live("sends runners and callers there, and says neither URL nor key in its log", () =>
    Effect.gen(function* () {
      const server = yield* s3Server("files")
      const running = yield* started(server)
      const { create, finished, headers } = demoOf(running)
      const { execution_id } = yield* create()
      const { downloads, prints } = yield* finished(execution_id)
      const [file] = [...downloads, ...prints]
      const redirect = yield* request(file?.url ?? "", { headers, redirect: "manual" })
      const url = new URL(redirect.headers.get("location") ?? "")
      const served = yield* request(url.href)
      const bytes = yield* Effect.promise(() => served.arrayBuffer())
      const unknown = yield* request(`${running.baseUrl}/storage?grant=of-a-folder`)
      const ready = yield* textOf(yield* request(`${running.baseUrl}/readyz`))

      assert.strictEqual(redirect.status, 302)
      assert.match(url.pathname, /^\/files\/runs\/[0-9a-f-]+\/[0-9a-f-]+\/[0-9a-f-]+$/)
      assert.deepStrictEqual([served.status, bytes.byteLength], [200, file?.size_bytes])
      assert.include(served.headers.get("content-disposition") ?? "", file?.file_name ?? "no file")
      assert.strictEqual(unknown.status, 403)
      assert.include(ready, '"limited":[]')
      assert.notMatch(running.log(), /X-Amz|S3RVER/)
    })
  )

  it.live("goes on without room in it, and says so once", () =>
    Effect.gen(function* () {
      const server = yield* s3Server("files")
      server.mood = "full"
      const { baseUrl, log } = yield* started(server)

      const answers = yield* Effect.all([request(`${baseUrl}/readyz`), request(`${baseUrl}/readyz`)])
      const bodies = yield* Effect.forEach(answers, textOf)

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200]
      )
      assert.isTrue(bodies.every((body) => body.includes('"limited":["artifacts"]')))
      assert.lengthOf(log().match(/Uploads to s3:\/\/files\/runs are refused: the store is full/g) ?? [], 1)
    })
  )

  it.live("is told by doctor whether the bucket takes files, and what to correct", () =>
    Effect.gen(function* () {
      const server = yield* s3Server("files")
      const saidWith = (environment: Record<string, string>) =>
        Effect.map(runhook(["doctor"], { ...settingsOf(server), ...environment }), ({ stderr, stdout }) => ({
          stderr,
          files: stdout.split("\n").find((line) => line.includes("  files "))
        }))

      const good = yield* saidWith({})
      const secret = yield* saidWith({ AWS_SECRET_ACCESS_KEY: "wrong" })
      const bucket = yield* saidWith({ RUNHOOK_ARTIFACTS_URL: "s3://other/runs" })
      server.mood = "full"
      const full = yield* saidWith({})

      assert.deepStrictEqual(
        [good, secret, bucket, full].map(({ files }) => files),
        [
          "ok    files     s3://files/runs takes files",
          "FAIL  files     s3://files/runs: the store refuses the signature: correct AWS_SECRET_ACCESS_KEY (SignatureDoesNotMatch, 403)",
          "FAIL  files     s3://other/runs: there is no such bucket: make it, or correct RUNHOOK_ARTIFACTS_URL (NoSuchBucket, 404)",
          "FAIL  files     s3://files/runs takes no more files: make room, or name another in RUNHOOK_ARTIFACTS_URL"
        ]
      )
      // The reasons stand there once, and not as lines of a log.
      assert.strictEqual(secret.stderr, "runhook: Not everything is in order\n")
    })
  )
})
