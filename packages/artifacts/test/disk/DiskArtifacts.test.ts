import { open, rm, truncate, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { suite } from "@runhook/store-testing/storage/ArtifactStorageSuite"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as DiskArtifacts from "../../src/disk/DiskArtifacts.ts"
import * as Storage from "./TemporaryStorage.ts"

const bytes = Storage.manyBytes(200_000)
const announced = Storage.announce(bytes)

/** A stored file, opened for download. */
const makeFile = Effect.fnUntraced(function* (content = bytes) {
  const key = Storage.makeKey()
  yield* Storage.upload(key, content)
  const token = yield* Storage.downloadToken(key, Storage.announce(content))
  return { key, token, file: yield* (yield* HostedFiles).open(token) }
})

/** Names the page before that of the key. */
const before = (key: string) =>
  (Number.parseInt(key.slice(-3), 16) - 1).toString(16).padStart(3, "0").replace("-1", "")

const onlyFileOf = Effect.fnUntraced(function* (key: string) {
  const paths = yield* Storage.filesOnDisk
  return paths.find((path) => path.endsWith(key.replaceAll("/", "_"))) ?? ""
})

const causeOf = <R>(attempt: Effect.Effect<unknown, unknown, R>) => Effect.flip(Effect.sandbox(attempt))

suite("disk", Storage.layer, Storage.transfers)

describe("DiskArtifacts", () => {
  it.layer(Storage.layer)((it) => {
    it.effect("streams in pieces of at most 64 KiB", () =>
      Effect.gen(function* () {
        const { file } = yield* makeFile()

        const sizes = yield* Stream.runCollect(Stream.map(file.read(null), (piece) => piece.length))

        assert.deepStrictEqual([...sizes], [65_536, 65_536, 65_536, 3_392])
      })
    )

    it.effect("lists none but its own files", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFile()
        const path = yield* onlyFileOf(key)
        const stranger = join(dirname(path), `notes-${path.slice(-3)}`)
        yield* Effect.promise(() => Promise.all([`${path}.bak`, stranger].map((name) => writeFile(name, ""))))

        const page = yield* ArtifactStorage.use(({ list }) => list(before(key)))

        assert.deepStrictEqual(page.keys, [key])
      })
    )

    it.effect("finds that someone cut the file short", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFile()
        const path = yield* onlyFileOf(key)
        yield* Effect.promise(() => truncate(path, 1_000))

        const error = yield* (yield* ArtifactStorage).verify({ key, ...announced }).pipe(Effect.flip)

        assert.strictEqual(error.reason, "size_differs")
      })
    )

    it.effect("says that a removed file is missing, also to who had opened it", () =>
      Effect.gen(function* () {
        const { key, token, file } = yield* makeFile()
        yield* (yield* ArtifactStorage).remove(key)

        const opening = yield* (yield* HostedFiles).open(token).pipe(Effect.flip)
        const reading = yield* Stream.runDrain(file.read(null)).pipe(Effect.flip)

        assert.strictEqual(opening._tag, "FileMissing")
        assert.strictEqual(reading._tag, "FileMissing")
      })
    )

    it.effect("goes on reading a file that is removed under way", () =>
      Effect.gen(function* () {
        const { key, file } = yield* makeFile()
        const storage = yield* ArtifactStorage

        const read = yield* Storage.collect(Stream.tap(file.read(null), () => storage.remove(key)))

        assert.deepStrictEqual(read, bytes)
      })
    )

    it.effect("fails a download whose file is cut short under way", () =>
      Effect.gen(function* () {
        const { key, file } = yield* makeFile()
        const path = yield* onlyFileOf(key)

        const error = yield* file.read(null).pipe(
          Stream.runForEach(() => Effect.promise(() => truncate(path, 70_000))),
          Effect.flip
        )

        assert.strictEqual(error._tag, "FileMissing")
      })
    )

    it.effect("removes a file once and again", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFile()
        const storage = yield* ArtifactStorage

        yield* storage.remove(key)
        yield* storage.remove(key)

        assert.strictEqual(yield* onlyFileOf(key), "")
      })
    )

    it.effect.each([
      "../../../etc/passwd",
      "..",
      "",
      "a/b/c",
      Storage.makeKey().toUpperCase(),
      `${Storage.makeKey()}\0`,
      `${Storage.makeKey()}\n`,
      `${Storage.makeKey()}/..`,
      `/${Storage.makeKey()}`,
      Storage.makeKey().replaceAll("/", "\\")
    ])("refuses the key %j as a defect of its caller", (key) =>
      Effect.gen(function* () {
        const storage = yield* ArtifactStorage

        const causes = yield* Effect.all([
          causeOf(Storage.uploadToken(key, announced)),
          causeOf(Storage.downloadToken(key, announced)),
          causeOf(storage.verify({ key, ...announced })),
          causeOf(storage.remove(key))
        ])

        for (const cause of causes) {
          assert.isTrue(Cause.hasDies(cause))
          assert.include(
            Cause.pretty(cause),
            "a storage key of three lower-case UUIDs with slashes between them"
          )
        }
      })
    )
  })

  it.effect("tells the operator when the disk cannot be written", () =>
    Effect.gen(function* () {
      const directory = yield* Storage.Directory
      const incoming = `${directory}/incoming`
      yield* Effect.promise(() => rm(incoming, { recursive: true }))
      yield* Effect.promise(async () => (await open(incoming, "w")).close())

      const exit = yield* Effect.exit(Storage.upload(Storage.makeKey(), bytes))

      assert.include(
        String(Exit.getCause(exit)),
        `Could not store an artifact in ${directory}: a part of the path is a file and not a folder (ENOTDIR)`
      )
    }).pipe(Effect.provide(Storage.layer))
  )

  it.effect("finds its files again after a restart", () =>
    Effect.gen(function* () {
      const directory = yield* Storage.temporaryDirectory
      const storage = Layer.fresh(DiskArtifacts.layer({ ...Storage.settings, directory }))
      const key = Storage.makeKey()
      yield* Effect.provide(Storage.upload(key, bytes), storage)

      const read = Effect.gen(function* () {
        const file = yield* (yield* HostedFiles).open(yield* Storage.downloadToken(key, announced))
        return yield* Storage.collect(file.read(null))
      })

      assert.deepStrictEqual(yield* Effect.provide(read, storage), bytes)
    })
  )
})
