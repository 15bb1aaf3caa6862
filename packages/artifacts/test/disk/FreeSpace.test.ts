import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as DiskArtifacts from "../../src/disk/DiskArtifacts.ts"
import * as FreeSpace from "../../src/disk/FreeSpace.ts"
import * as Storage from "./TemporaryStorage.ts"

/** Storage that wants so much of the volume free. */
const keepingFree = (freeBytesMin: number) =>
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(Storage.Directory, (directory) =>
        DiskArtifacts.layer({ ...Storage.settings, directory, freeBytesMin })
      )
    ),
    Layer.effect(Storage.Directory, Storage.temporaryDirectory)
  )

const bytes = Storage.manyBytes(10_000)

describe("the floor of free space", () => {
  it.effect("refuses an upload that would leave less, and keeps nothing of it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Storage.upload(Storage.makeKey(), bytes))

      const { check } = yield* ArtifactStorage
      assert.deepInclude(error, { _tag: "StorageFull" })
      assert.strictEqual(yield* check, "full")
      assert.deepStrictEqual(yield* Storage.filesOnDisk, [])
    }).pipe(Effect.provide(keepingFree(Number.MAX_SAFE_INTEGER)))
  )

  it.effect("tells the operator at the start that there is no room, and does not repeat it", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])

      const condition = yield* ArtifactStorage.use(({ check }) => check).pipe(
        Effect.provide(Layer.provideMerge(keepingFree(Number.MAX_SAFE_INTEGER), logger))
      )

      assert.strictEqual(condition, "full")
      assert.lengthOf(lines, 1)
      assert.match(String(lines[0]), /^Uploads are refused: .* or set RUNHOOK_ARTIFACTS_FREE_SPACE to less$/)
    })
  )

  it.effect("lets an upload through that leaves enough", () =>
    Effect.gen(function* () {
      yield* Storage.upload(Storage.makeKey(), bytes)

      assert.strictEqual((yield* Storage.filesOnDisk).length, 1)
    }).pipe(Effect.provide(keepingFree(1)))
  )

  it.effect("counts uploads that are under way, and tells the operator once", () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      const space = FreeSpace.make({
        directory: "/data",
        freeBytes: Effect.succeed(1_000),
        freeBytesMin: 100
      })
      const first = yield* Scope.make()
      yield* Effect.gen(function* () {
        yield* Scope.provide(space.take(600), first)

        const [one, two] = [yield* Effect.exit(space.take(301)), yield* Effect.exit(space.take(301))]
        const smaller = yield* Effect.exit(Effect.scoped(space.take(300)))
        yield* Scope.close(first, Exit.void)
        const after = yield* Effect.exit(space.take(900))

        assert.deepStrictEqual(
          [one, two, smaller, after].map((exit) => Exit.isSuccess(exit)),
          [false, false, true, true]
        )
      }).pipe(Effect.scoped, Effect.provide(logger))
      assert.strictEqual(lines.length, 2)
    })
  )
})
