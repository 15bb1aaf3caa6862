import { stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeFolder } from "../src/Folders.ts"
import { inFolder } from "../src/SystemFault.ts"
import { temporaryFolder } from "./Folder.ts"

const making = (folder: string) => inFolder(folder, () => makeFolder(folder))

describe("makeFolder", () => {
  it.effect("makes a folder with those above it, for its user alone", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "of", "data")

      yield* making(folder)

      const { mode } = yield* Effect.promise(() => stat(folder))
      assert.strictEqual(mode & 0o777, 0o700)
    })
  )

  it.effect("takes one that is there, and one that others make at the same time", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "of", "data")

      yield* Effect.all([making(folder), making(folder), making(folder)], { concurrency: "unbounded" })

      yield* making(folder)
    })
  )

  it.live("fails at once where no folder can be made", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(making("/proc/x/data"))

      assert.strictEqual(failure._tag, "FolderUnusable")
    })
  )

  it.effect("leaves a file alone", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFolder
      yield* Effect.promise(() => writeFile(file, "content"))

      const failure = yield* Effect.flip(making(file))

      assert.include(failure.message, "a part of the path is a file and not a folder (EEXIST)")
    })
  )
})
