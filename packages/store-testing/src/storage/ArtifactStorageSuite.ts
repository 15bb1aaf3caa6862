/**
 * What every ArtifactStorage does with the bytes of artifacts, wherever it keeps them:
 *
 * ```ts
 * suite("S3", layer, { send, load })
 * ```
 */
import { assert } from "@effect/vitest"
import { ArtifactStorage, type StoredKeys, type UploadGrant } from "@runhook/core/artifacts/ArtifactStorage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { suiteOf } from "../SuiteOf.ts"

/** How runners and browsers reach the storage by its URLs. */
export interface Transfers<R> {
  /** Sends the bytes as the grant says. Fails if they are refused. */
  readonly send: (grant: UploadGrant, bytes: Uint8Array) => Effect.Effect<unknown, unknown, R>
  /** What anybody is served at the URL. Fails if nothing is. */
  readonly load: (url: string) => Effect.Effect<Uint8Array, unknown, R>
}

/** Bytes that are different everywhere, so that a wrong range shows. */
const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 31 + (index >> 8)) % 251)

const expiresIn = Duration.minutes(5)

const makeKey = () => Array.from({ length: 3 }, () => crypto.randomUUID()).join("/")

const announce = (content: Uint8Array) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", Uint8Array.from(content))),
    (hash) => ({ sizeBytes: content.length, sha256: Buffer.from(hash).toString("hex") })
  )

export const suite = <R>(
  name: string,
  layer: Layer.Layer<ArtifactStorage | R, unknown>,
  { load, send }: Transfers<R>
): void => {
  /** Sends bytes under a grant for others, or for the same. */
  const upload = Effect.fnUntraced(function* (key: string, content = bytes, announcedOf = content) {
    const announced = yield* announce(announcedOf)
    const storage = yield* ArtifactStorage
    const grant = yield* storage.grantUpload({ key, ...announced, contentType: "text/plain", expiresIn })
    yield* send(grant, content)
    return { key, ...announced }
  })

  const urlOf = Effect.fnUntraced(function* (file: Effect.Success<ReturnType<typeof upload>>) {
    const shown = { fileName: "a.txt", disposition: "attachment", expiresIn } as const
    return yield* (yield* ArtifactStorage).grantDownload({ ...file, ...shown })
  })

  const collect = <E>(read: Stream.Stream<Uint8Array, E>) =>
    Effect.map(Stream.runCollect(read), (pieces) => new Uint8Array(Buffer.concat(pieces)))

  suiteOf("ArtifactStorage", { layer, name }, (it) => {
    it.effect.each([bytes, new Uint8Array()])(
      "gives back what was uploaded, to the service and by a URL",
      (sent) =>
        Effect.gen(function* () {
          const file = yield* upload(makeKey(), sent)

          const storage = yield* ArtifactStorage
          const read = yield* collect(storage.read({ ...file, range: null }))
          const served = yield* load(yield* urlOf(file))

          yield* storage.verify(file)
          assert.deepStrictEqual(read, sent)
          assert.deepStrictEqual(served, sent)
        })
    )

    it.effect.each([
      { start: 0, end: 0 },
      { start: 0, end: 65_535 },
      { start: 65_535, end: 65_536 },
      { start: 100, end: 150_000 },
      { start: 199_999, end: 199_999 }
    ])("reads the bytes from $start to $end", (range) =>
      Effect.gen(function* () {
        const file = yield* upload(makeKey())

        const part = yield* collect((yield* ArtifactStorage).read({ ...file, range }))

        assert.deepStrictEqual(part, bytes.slice(range.start, range.end + 1))
      })
    )

    it.effect.each([
      ["fewer bytes than announced", bytes.subarray(1)],
      ["more bytes than announced", new Uint8Array(Buffer.concat([bytes, Buffer.of(0)]))],
      ["no bytes", new Uint8Array()],
      ["other bytes than announced", bytes.toReversed()]
    ] as const)("keeps nothing of %s", ([, sent]) =>
      Effect.gen(function* () {
        const key = makeKey()

        yield* Effect.flip(upload(key, sent, bytes))

        const kept = yield* Effect.flip((yield* ArtifactStorage).verify({ key, ...(yield* announce(bytes)) }))
        assert.strictEqual(kept.reason, "not_uploaded")
      })
    )

    it.effect.each([
      ["size_differs", { sizeBytes: 199_999 }],
      ["sha256_differs", { sha256: "0".repeat(64) }],
      ["not_uploaded", { key: makeKey() }]
    ] as const)("finds that what is announced is not there: %s", ([reason, other]) =>
      Effect.gen(function* () {
        const file = yield* upload(makeKey())

        const error = yield* Effect.flip((yield* ArtifactStorage).verify({ ...file, ...other }))

        assert.strictEqual(error.reason, reason)
      })
    )

    it.test("takes the same bytes again, and keeps them when a later upload fails", function* () {
      const file = yield* upload(makeKey())

      yield* upload(file.key)
      yield* Effect.flip(upload(file.key, bytes.subarray(1), bytes))

      yield* (yield* ArtifactStorage).verify(file)
    })

    it.test("has nothing of what was removed, once or twice", function* () {
      const file = yield* upload(makeKey())
      const storage = yield* ArtifactStorage
      const url = yield* urlOf(file)

      yield* storage.remove(file.key)
      yield* storage.remove(file.key)

      const verified = yield* Effect.flip(storage.verify(file))
      const read = yield* Effect.flip(collect(storage.read({ ...file, range: null })))
      assert.strictEqual(verified.reason, "not_uploaded")
      assert.strictEqual(read._tag, "FileMissing")
      yield* Effect.flip(load(url))
    })

    it.test("says that bytes can be stored", function* () {
      assert.strictEqual(yield* (yield* ArtifactStorage).check, "ready")
    })

    it.test("lists the keys of what is stored, page by page", function* () {
      const storage = yield* ArtifactStorage
      const kept = yield* Effect.forEach([makeKey(), makeKey(), makeKey()], (key) =>
        upload(key, bytes.subarray(0, 9))
      )
      const { key: removed } = yield* upload(makeKey(), bytes.subarray(0, 9))
      yield* storage.remove(removed)

      const listed: Array<string> = []
      for (let after: string | null | undefined; after !== null;) {
        const page: StoredKeys = yield* storage.list(after ?? null)
        listed.push(...page.keys)
        after = page.next
      }

      assert.includeMembers(
        listed,
        kept.map(({ key }) => key)
      )
      assert.notInclude(listed, removed)
      assert.strictEqual(new Set(listed).size, listed.length)
    })
  })
}
