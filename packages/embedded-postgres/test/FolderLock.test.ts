import { mkdir } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FolderLock from "../src/FolderLock.ts"
import { serving } from "./Client.ts"
import { temporaryFolder } from "./Folder.ts"
import { startService } from "./ServiceProcess.ts"

const newFolder = Effect.tap(temporaryFolder, (directory) => Effect.promise(() => mkdir(directory)))

describe("FolderLock.hold", () => {
  it.effect("refuses a folder that is held, in this process too", () =>
    Effect.gen(function* () {
      const directory = yield* newFolder
      yield* FolderLock.hold(directory)

      const failure = yield* Effect.flip(FolderLock.hold(directory))

      assert.strictEqual(failure._tag, "FolderInUse")
    })
  )

  it.effect("gives the folder free with its scope", () =>
    Effect.gen(function* () {
      const directory = yield* newFolder
      yield* Effect.scoped(FolderLock.hold(directory))

      yield* FolderLock.hold(directory)

      const failure = yield* Effect.flip(FolderLock.hold(directory))
      assert.strictEqual(failure._tag, "FolderInUse")
    })
  )
})

describe("two services on one folder", () => {
  it.live("are one, and one that is refused in one line and disturbs nothing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const first = yield* startService(directory)
      yield* first.hear("ready")

      const second = yield* startService(directory)
      yield* second.hear(
        `The database in ${directory} is in use by another process: stop that one, or choose another folder`
      )
      yield* second.ended

      yield* first.pressControlC
      yield* first.hear("drained")
      yield* first.ended
    })
  )

  it.live("may follow one another when the first was killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const first = yield* startService(directory)
      yield* first.hear("ready")
      yield* first.kill

      const failure = yield* serving(directory, () => Effect.flip(serving(directory, () => Effect.void)))

      assert.strictEqual(failure._tag, "FolderInUse")
    })
  )
})
