import { createSecretKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { FileName } from "@runhook/core/artifacts/Artifact"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import * as SignedToken from "@runhook/core/signing/SignedToken"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as FileGrant from "../../src/disk/FileGrant.ts"
import * as Storage from "./TemporaryStorage.ts"

const bytes = Storage.bytesOf("hello")
const announced = Storage.announce(bytes)
const file = { ...announced, fileName: "a.txt", disposition: "inline" } as const

const refused = (grant: string) =>
  Effect.gen(function* () {
    const files = yield* HostedFiles
    const opening = yield* files.open(grant).pipe(Effect.flip)
    const receiving = yield* files.receive({ grant, bytes: Stream.make(bytes) }).pipe(Effect.flip)
    assert.strictEqual(opening._tag, "GrantRefused")
    assert.strictEqual(receiving._tag, "GrantRefused")
  })

describe("a grant", () => {
  it.layer(Storage.layer)((it) => {
    it.effect("is a URL of the service and says how to send the bytes", () =>
      Effect.gen(function* () {
        const storage = yield* ArtifactStorage

        const grant = yield* storage.grantUpload({
          key: Storage.makeKey(),
          ...announced,
          contentType: "text/plain",
          expiresIn: Storage.expiresIn
        })

        assert.strictEqual(grant.method, "PUT")
        assert.deepStrictEqual(grant.headers, { "content-type": "text/plain" })
        assert.match(grant.url, /^https:\/\/runhook\.example\.com\/api\/storage\?grant=[\w.-]+$/)
      })
    )

    it.effect.prop(
      "gives back any file name as it was given",
      [FileName, Schema.Literals(["inline", "attachment"])],
      ([fileName, disposition]) =>
        Effect.gen(function* () {
          const key = Storage.makeKey()
          yield* Storage.upload(key, bytes)
          const given = { ...announced, fileName, disposition }
          const url = yield* (yield* ArtifactStorage).grantDownload({
            key,
            ...given,
            expiresIn: Storage.expiresIn
          })

          const { read: _, ...opened } = yield* (yield* HostedFiles).open(Storage.tokenIn(url))

          assert.deepStrictEqual(opened, given)
        })
    )

    it.effect("of the longest name there can be still fits into a token", () =>
      Effect.gen(function* () {
        const key = Storage.makeKey()
        yield* Storage.upload(key, bytes)
        const longest = { ...file, fileName: "🦊".repeat(255) }
        const url = yield* (yield* ArtifactStorage).grantDownload({
          key,
          ...longest,
          expiresIn: Storage.expiresIn
        })

        const opened = yield* (yield* HostedFiles).open(Storage.tokenIn(url))

        assert.strictEqual(opened.fileName, longest.fileName)
      })
    )

    it.effect("ends when it expires", () =>
      Effect.gen(function* () {
        const key = Storage.makeKey()
        const uploading = yield* Storage.uploadToken(key, announced)
        const downloading = yield* Storage.downloadToken(key, announced)
        yield* TestClock.adjust(Duration.subtract(Storage.expiresIn, Duration.millis(1)))
        const files = yield* HostedFiles
        yield* files.receive({ grant: uploading, bytes: Stream.make(bytes) })
        yield* files.open(downloading)

        yield* TestClock.adjust("1 milli")

        yield* refused(uploading)
        yield* refused(downloading)
      })
    )

    it.effect("to upload does not download, nor the other way round", () =>
      Effect.gen(function* () {
        const key = Storage.makeKey()
        yield* Storage.upload(key, bytes)
        const files = yield* HostedFiles

        const opening = yield* files.open(yield* Storage.uploadToken(key, announced)).pipe(Effect.flip)
        const grant = yield* Storage.downloadToken(key, announced)
        const receiving = yield* files.receive({ grant, bytes: Stream.make(bytes) }).pipe(Effect.flip)

        assert.strictEqual(opening._tag, "GrantRefused")
        assert.strictEqual(receiving._tag, "GrantRefused")
      })
    )

    it.effect.each(["", ".", "nonsense", "e30.e30", "\0", "a".repeat(100_000)])("is not %j", (token) =>
      refused(token)
    )

    it.effect("that was changed anywhere is refused", () =>
      Effect.gen(function* () {
        const token = yield* Storage.downloadToken(Storage.makeKey(), announced)
        const places = [0, 40, token.indexOf(".") + 1]

        yield* Effect.forEach(places, (place) =>
          refused(token.slice(0, place) + (token[place] === "A" ? "B" : "A") + token.slice(place + 1))
        )
      })
    )

    it.effect("that another key signed is refused", () =>
      Effect.gen(function* () {
        const foreign = { ...Storage.settings, grantKey: createSecretKey(Buffer.alloc(32, 8)) }
        const key = Schema.decodeSync(FileGrant.downloadGrant.payload.fields.key)(Storage.makeKey())
        const grant = { payload: { key, ...file }, expiresIn: Storage.expiresIn }

        const url = yield* FileGrant.issue(foreign, FileGrant.downloadGrant, grant)

        yield* refused(Storage.tokenIn(url))
      })
    )

    it.effect.each(["../../../etc/passwd", Storage.makeKey().toUpperCase(), `${Storage.makeKey()}\0`])(
      "for the key %j is refused even when it is signed",
      (key) =>
        Effect.gen(function* () {
          const expiresAt = DateTime.addDuration(yield* DateTime.now, Storage.expiresIn)
          const sign = (purpose: string) =>
            SignedToken.sign(Storage.settings.grantKey, purpose, { payload: { key, ...file }, expiresAt })

          yield* refused(sign("download"))
          yield* refused(sign("upload"))
        })
    )
  })
})
