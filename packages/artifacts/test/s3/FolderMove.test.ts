import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { assert, describe } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as DiskArtifacts from "../../src/disk/DiskArtifacts.ts"
import { pathOf, storageKey } from "../../src/disk/StorageKey.ts"
import * as FolderMove from "../../src/s3/FolderMove.ts"
import { announce, makeKey, settings, temporaryDirectory, upload } from "../disk/TemporaryStorage.ts"
import { Server, test } from "./TestBucket.ts"

/** A folder with files of so many bytes each. */
const makeFolder = Effect.fnUntraced(function* (...sizes: ReadonlyArray<number>) {
  const directory = yield* temporaryDirectory
  const files = yield* Effect.forEach(sizes, (size) => {
    const bytes = randomBytes(size)
    return Effect.succeed({ key: makeKey(), bytes, ...announce(bytes) })
  })
  yield* Effect.forEach(files, ({ bytes, key }) => upload(key, bytes)).pipe(
    Effect.provide(DiskArtifacts.layer({ ...settings, directory }))
  )
  const paths = yield* Effect.forEach(files, ({ key }) =>
    Effect.map(storageKey(key), (valid) => pathOf(directory, valid))
  )
  return { directory, files, paths }
})

const outcomesOf = (options: FolderMove.Options) =>
  Effect.map(Stream.runCollect(FolderMove.move(options)), (moved) =>
    Object.fromEntries(moved.map(({ outcome, path }) => [path, outcome]))
  )

const puts = Effect.map(Server, ({ seen }) => seen.filter(({ method }) => method === "PUT").length)

describe("the move of a folder to a bucket", () => {
  test("counts the files, sends each once, as it was announced, and leaves it in the folder", function* () {
    const { directory, files, paths } = yield* makeFolder(0, 1, 200_000)
    const options = { directory, isRemoving: false }

    const first = yield* outcomesOf(options)
    const sent = yield* puts
    const second = yield* outcomesOf(options)

    const storage = yield* ArtifactStorage
    yield* Effect.forEach(files, storage.verify)
    assert.deepStrictEqual(first, Object.fromEntries(paths.map((path) => [path, "sent"])))
    assert.deepStrictEqual(second, Object.fromEntries(paths.map((path) => [path, "there"])))
    assert.strictEqual(yield* puts, sent)
    assert.isTrue(paths.every(existsSync))
    assert.strictEqual(yield* FolderMove.count(directory), 3)
  })

  test("removes what is in the bucket, and tells of what was changed on disk", function* () {
    const { directory, paths } = yield* makeFolder(10, 2_000, 300)
    const [whole = "", changed = "", other = ""] = paths
    yield* Effect.promise(async () => {
      const file = await open(changed, "r+")
      await file.write("x", 1_000)
      await file.close()
    })

    const outcomes = yield* outcomesOf({ directory, isRemoving: true })

    assert.deepStrictEqual(outcomes, { [whole]: "sent", [changed]: "broken", [other]: "sent" })
    assert.deepStrictEqual(paths.map(existsSync), [false, true, false])
  })

  test("goes on where it was ended", function* () {
    const { directory, files } = yield* makeFolder(...Array.from({ length: 20 }, () => 100))
    const options = { directory, isRemoving: true }
    const storage = yield* ArtifactStorage
    yield* storage.check
    const server = yield* Server
    const taken = yield* Stream.runCollect(Stream.take(FolderMove.move(options), 3))
    server.mood = "slow"
    const before = server.seen.length
    const ended = yield* Effect.forkChild(outcomesOf(options))
    yield* server.until(before + 1)
    yield* Fiber.interrupt(ended)
    server.mood = "good"
    server.release()

    yield* outcomesOf(options)

    yield* Effect.forEach(files, storage.verify)
    assert.lengthOf(taken, 3)
    assert.deepStrictEqual(yield* outcomesOf(options), {})
  })

  test("ends when the store refuses a file, and removes nothing that is not in it", function* () {
    const { directory, paths } = yield* makeFolder(100)
    const server = yield* Server
    yield* (yield* ArtifactStorage).check
    server.mood = "full"

    const exit = yield* Effect.exit(outcomesOf({ directory, isRemoving: true }))

    assert.isTrue(Exit.isFailure(exit) && isStorageUnavailable(Cause.squash(exit.cause)))
    assert.isTrue(paths.every(existsSync))
  })
})
