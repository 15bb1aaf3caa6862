import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { suite } from "@runhook/store-testing/storage/ArtifactStorageSuite"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as MemoryArtifacts from "../../src/memory/MemoryArtifacts.ts"
import * as Storage from "../disk/TemporaryStorage.ts"

const bytes = Storage.manyBytes(100_000)
const announced = Storage.announce(bytes)

/** A stored file, opened for download. */
const makeFile = Effect.fnUntraced(function* () {
  const key = Storage.makeKey()
  yield* Storage.upload(key, bytes)
  return { key, file: yield* (yield* HostedFiles).open(yield* Storage.downloadToken(key, announced)) }
})

suite("memory", MemoryArtifacts.layer(Storage.settings), Storage.transfers)

describe("MemoryArtifacts", () => {
  it.layer(MemoryArtifacts.layer(Storage.settings))((it) => {
    it.effect("says that a removed file is missing, also to who had opened it", () =>
      Effect.gen(function* () {
        const { file, key } = yield* makeFile()
        const storage = yield* ArtifactStorage
        yield* storage.remove(key)
        yield* storage.remove(key)

        const reading = yield* Effect.flip(Stream.runDrain(file.read(null)))
        const again = yield* Effect.flip(Stream.runDrain(storage.read({ key, ...announced, range: null })))

        assert.deepStrictEqual([reading._tag, again._tag], ["FileMissing", "FileMissing"])
      })
    )

    it.effect("lets nobody in whose grant is over, or for something else", () =>
      Effect.gen(function* () {
        const key = Storage.makeKey()
        const upload = yield* Storage.uploadToken(key, announced)
        const files = yield* HostedFiles

        const mistaken = yield* Effect.flip(files.open(upload))
        yield* TestClock.adjust(Storage.expiresIn)
        const late = yield* Effect.flip(files.receive({ grant: upload, bytes: Stream.make(bytes) }))

        assert.deepStrictEqual([mistaken._tag, late._tag], ["GrantRefused", "GrantRefused"])
      })
    )
  })
})
