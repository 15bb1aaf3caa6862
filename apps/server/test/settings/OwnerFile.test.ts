import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as OwnerFile from "../../src/settings/OwnerFile.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"

const makeFile = () =>
  Effect.map(temporaryDirectory, (directory): OwnerFile.OwnerFile => ({
    dataDir: join(directory, "data"),
    name: "secrets.json"
  }))

describe("a file that only its owner reads", () => {
  it.effect("is written once by all who write it new at the same time, and nothing is left beside it", () =>
    Effect.gen(function* () {
      const file = yield* makeFile()
      const writers = Array.from({ length: 10 }, (_, index) => OwnerFile.writeNew(file, { index }))

      const written = yield* Effect.all(writers, { concurrency: "unbounded" })

      const { mode } = yield* Effect.promise(() => stat(join(file.dataDir, file.name)))
      assert.lengthOf(
        written.filter((isNew) => isNew),
        1
      )
      assert.deepStrictEqual(
        Option.map(yield* OwnerFile.read(file), (text) => JSON.parse(text)),
        Option.some({ index: written.indexOf(true) })
      )
      assert.strictEqual(mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(file.dataDir)), [file.name])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("is replaced as a whole", () =>
    Effect.gen(function* () {
      const file = yield* makeFile()
      yield* OwnerFile.writeNew(file, { long: "x".repeat(10_000) })

      yield* OwnerFile.replace(file, { short: 1 })

      assert.deepStrictEqual(yield* OwnerFile.read(file), Option.some('{\n  "short": 1\n}\n'))
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
