import { assert, describe, it } from "@effect/vitest"
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Runhook } from "../../src/effect/Runhook.ts"
import { startServer } from "../call/RawServer.ts"
import { apiKey, meeting, refusal } from "./Answering.ts"

const file = { url: "http://inside.example/api/v1/integrations/executions/e-1/files/f-1" }

const serving = (...answers: ReadonlyArray<Answer>) =>
  Effect.acquireRelease(
    Effect.promise(() => startServer(...answers)),
    (server) => Effect.promise(() => server[Symbol.asyncDispose]())
  )

const text = (stream: ReturnType<Runhook["Service"]["files"]["download"]>) =>
  stream.pipe(Stream.decodeText, Stream.mkString)

describe("a download", () => {
  it.effect("streams from the storage, which never sees the key, over the real fetch", () =>
    Effect.gen(function* () {
      const storage = yield* serving((response) => void response.end("a report"))
      const server = yield* serving(
        (response) => void response.writeHead(302, { location: `${storage.url}/bucket?grant=1` }).end()
      )
      const layer = Runhook.layer({ baseUrl: server.url, apiKey: Redacted.make(apiKey) }).pipe(
        Layer.provide(FetchHttpClient.layer)
      )

      const read = yield* Runhook.pipe(
        Effect.flatMap(({ files }) => text(files.download(file))),
        Effect.provide(layer)
      )

      assert.strictEqual(read, "a report")
      assert.deepStrictEqual(
        server.received.map(({ headers, path }) => [path, headers.authorization]),
        [["/api/v1/integrations/executions/e-1/files/f-1", `Bearer ${apiKey}`]]
      )
      assert.deepStrictEqual(
        storage.received.map(({ headers, path }) => [path, headers.authorization]),
        [["/bucket?grant=1", undefined]]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("that is refused fails as other calls do", () => {
    const { layer } = meeting([refusal(404, "not_found")])
    return Effect.gen(function* () {
      const error = yield* Effect.flip(text((yield* Runhook).files.download(file)))

      assert.strictEqual(error._tag, "NotFoundError")
    }).pipe(Effect.provide(layer))
  })

  it.effect("that breaks off fails, and is not retried", () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.error(new Error("reset"))
        })
      )
    const { layer, requests } = meeting([broken])
    return Effect.gen(function* () {
      const error = yield* Effect.flip(text((yield* Runhook).files.download(file)))

      assert.deepStrictEqual([error._tag, requests.length], ["ConnectionError", 1])
    }).pipe(Effect.provide(layer))
  })
})
