import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as StorageDirectory from "../../src/disk/StorageDirectory.ts"
import { temporaryDirectory } from "./TemporaryStorage.ts"

const hourSeconds = 3_600

describe("StorageDirectory.prepare", () => {
  it.effect("makes the directory for its own user and leaves nothing in it", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "of", "artifacts")

      yield* StorageDirectory.prepare(directory)

      const { mode } = yield* Effect.promise(() => stat(directory))
      assert.strictEqual(mode & 0o777, 0o700)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(directory, "incoming"))), [])
    })
  )

  it.effect("removes uploads that were broken off more than a day ago, and no others", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const incoming = join(directory, "incoming")
      yield* Effect.promise(() => mkdir(incoming))
      const leave = (name: string, seconds: number) =>
        Effect.promise(async () => {
          await writeFile(join(incoming, name), "half")
          await utimes(join(incoming, name), seconds, seconds)
        })
      yield* leave("old", 0)
      yield* leave("young", 2 * hourSeconds)
      yield* TestClock.adjust("25 hours")

      yield* StorageDirectory.prepare(directory)

      assert.deepStrictEqual(yield* Effect.promise(() => readdir(incoming)), ["young"])
    })
  )

  it.effect("says in one line what to do when it cannot write", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const directory = join(file, "artifacts")

      const error = yield* StorageDirectory.prepare(directory).pipe(Effect.flip)

      assert.strictEqual(
        error.message,
        `Artifacts cannot be kept in ${directory}: a part of the path is a file and not a folder (ENOTDIR). ` +
          "Let the user that runs the service write there, or choose another directory"
      )
    })
  )
})
