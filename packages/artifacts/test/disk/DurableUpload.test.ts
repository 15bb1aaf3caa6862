import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { logged, lossesOf } from "../../../../test/DiskLog.ts"
import { pathOf, storageKey } from "../../src/disk/StorageKey.ts"
import * as Storage from "./TemporaryStorage.ts"

describe("an upload", () => {
  it.effect("is on the disk, and its place too, before it is acknowledged", () =>
    Effect.gen(function* () {
      const key = yield* storageKey(Storage.aKey())
      const path = pathOf(yield* Storage.Directory, key)

      const log = yield* logged(Storage.upload(key, Storage.manyBytes(30_000)))

      assert.deepStrictEqual(lossesOf(log, path), [])
      assert.isAbove(log.filter(({ act }) => act === "write").length, 3)
      assert.include(
        log.map(({ act }) => act),
        "make"
      )
    }).pipe(Effect.provide(Storage.layer))
  )
})
