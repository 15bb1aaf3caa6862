import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as StorageDirectory from "@runhook/artifacts/disk/StorageDirectory"
import { pathOf, storageKey } from "@runhook/artifacts/disk/StorageKey"
import { makeFolder } from "@runhook/embedded-postgres/Folders"
import * as OwnerFile from "@runhook/server/settings/OwnerFile"
import * as Effect from "effect/Effect"
import * as Path from "effect/Path"
import * as Storage from "../packages/artifacts/test/disk/TemporaryStorage.ts"
import { type Entry, foldersLost, logged, lossesOf } from "./DiskLog.ts"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-test-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const count = (log: ReadonlyArray<Entry>, wanted: Entry["act"]): number =>
  log.filter(({ act }) => act === wanted).length

describe("what a power cut must not take", () => {
  it.effect("has an upload and its place on the disk before it is acknowledged", () =>
    Effect.gen(function* () {
      const key = yield* storageKey(Storage.makeKey())
      const path = pathOf(yield* Storage.Directory, key)

      const log = yield* logged(Storage.upload(key, Storage.manyBytes(30_000)))

      assert.deepStrictEqual(lossesOf(log, path), [])
      assert.isAbove(count(log, "write"), 3)
      assert.strictEqual(count(log, "make"), 1)
    }).pipe(Effect.provide(Storage.layer))
  )

  it.effect.each(Object.entries({ writeNew: OwnerFile.writeNew, replace: OwnerFile.replace }))(
    "has secrets and their place on the disk before anybody goes by them: %s",
    ([, write]) =>
      Effect.gen(function* () {
        const file = { dataDir: join(yield* temporaryFolder, "of", "data"), name: "secrets.json" }

        const log = yield* logged(Effect.suspend(() => write(file, { key: "secret" })))

        assert.deepStrictEqual(lossesOf(log, yield* OwnerFile.pathOf(file)), [])
        assert.strictEqual(count(log, "make"), 2)
      }).pipe(Effect.provide(Path.layer))
  )

  it.effect("has the folders of the data on the disk, each in the one above", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "of", "data")

      const log = yield* logged(Effect.promise(() => makeFolder(folder)))

      assert.deepStrictEqual(foldersLost(log), [])
      assert.strictEqual(count(log, "make"), 2)
    })
  )

  it.effect("has the folders of the artifacts on the disk, each in the one above", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder, "of", "artifacts")

      const log = yield* logged(StorageDirectory.prepare(directory))

      assert.deepStrictEqual(foldersLost(log), [])
      assert.strictEqual(count(log, "make"), 3)
    })
  )
})
