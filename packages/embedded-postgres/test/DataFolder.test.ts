import { mkdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as DataFolder from "../src/DataFolder.ts"
import { namesIn, temporaryFolder } from "./Folder.ts"

describe("DataFolder.prepare", () => {
  it.effect("makes the folder for its own user, with those above it", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "of", "data")

      yield* DataFolder.prepare(directory)

      const { mode } = yield* Effect.promise(() => stat(directory))
      assert.strictEqual(mode & 0o777, 0o700)
    })
  )

  it.effect("takes the root of a new volume", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.promise(() => mkdir(join(directory, "lost+found"), { recursive: true }))

      yield* DataFolder.prepare(directory)

      assert.deepStrictEqual(yield* namesIn(directory), ["lost+found"])
    })
  )

  it.effect("refuses a folder that holds something else, and leaves it alone", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.promise(async () => {
        await mkdir(directory)
        await writeFile(join(directory, "PG_VERSION"), "18")
      })

      const failure = yield* Effect.flip(DataFolder.prepare(directory))

      assert.strictEqual(
        failure.message,
        `The database cannot be kept in ${directory}: ` +
          "it holds other files, such as PG_VERSION, and no database; choose an empty folder"
      )
      assert.deepStrictEqual(yield* namesIn(directory), ["PG_VERSION"])
    })
  )

  it.effect("refuses a path that leads through a file", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(file, ""))

      const failure = yield* Effect.flip(DataFolder.prepare(join(file, "data")))

      assert.include(failure.message, "a part of the path is a file and not a folder (ENOTDIR)")
    })
  )

  it.effect("refuses a name that the disk does not take", () =>
    Effect.gen(function* () {
      const directory = join(dirname(yield* temporaryFolder), "x".repeat(300))

      const failure = yield* Effect.flip(DataFolder.prepare(directory))

      assert.include(failure.message, "the path is too long (ENAMETOOLONG)")
    })
  )

  it.effect("refuses a path that PostgreSQL does not take", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, ...Array.from({ length: 10 }, () => "x".repeat(100)))

      const failure = yield* Effect.flip(DataFolder.prepare(directory))

      assert.include(failure.message, "the path is longer than 900 bytes")
    })
  )
})
