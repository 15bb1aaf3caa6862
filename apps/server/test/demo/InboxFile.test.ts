import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { charactersKept, callbacksKept, newest } from "../../src/demo/Inbox.ts"
import * as InboxFile from "../../src/demo/InboxFile.ts"
import type { InboxItem } from "../../src/demo/InboxItem.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"

const itemOf = (number: number, body: unknown = { type: "execution.queued" }): InboxItem => ({
  number,
  received_at: "2026-01-02T03:04:05.678Z",
  verified: true,
  problem: null,
  attempt: "1",
  body
})

/** A file in a directory of its own. */
const fileIn = Effect.gen(function* () {
  const dataDir = yield* temporaryDirectory
  const file = yield* InboxFile.make({ dataDir, store: { _tag: "Embedded", directory: dataDir } })
  return { file, path: join(dataDir, "inbox.json") }
})

describe("the file of the inbox", () => {
  it.effect("gives back what was kept last, to its owner alone", () =>
    Effect.gen(function* () {
      const { file, path } = yield* fileIn
      yield* file.keep([itemOf(1)])

      yield* file.keep([itemOf(1), itemOf(2, "no event")])

      assert.deepStrictEqual(yield* file.find, [itemOf(1), itemOf(2, "no event")])
      const { mode } = yield* Effect.promise(() => stat(path))
      assert.strictEqual(mode & 0o777, 0o600)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect.each(["", "[{", '[{"number":"one"}]'])("is set aside when it holds %j", (text) =>
    Effect.gen(function* () {
      const { file, path } = yield* fileIn
      yield* Effect.promise(() => writeFile(path, text))

      assert.deepStrictEqual(yield* file.find, [])

      assert.strictEqual(yield* Effect.promise(() => readFile(`${path}.broken`, "utf8")), text)
      yield* file.keep([itemOf(1)])
      assert.deepStrictEqual(yield* file.find, [itemOf(1)])
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("goes on where nothing can be written", () =>
    Effect.gen(function* () {
      const file = yield* InboxFile.make({
        dataDir: "/proc/nowhere",
        store: { _tag: "Embedded", directory: "/proc" }
      })

      yield* file.keep([itemOf(1)])

      assert.deepStrictEqual(yield* file.find, [])
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("what the inbox keeps", () => {
  it("is the last ones by number", () => {
    const items = Array.from({ length: callbacksKept + 5 }, (_, index) => itemOf(index + 1))

    assert.deepStrictEqual(newest(items), items.slice(5))
  })

  it("is the last ones by size, and always the newest", () => {
    const large = "x".repeat(charactersKept / 2)

    assert.deepStrictEqual(newest([itemOf(1, large), itemOf(2, large), itemOf(3)]), [
      itemOf(2, large),
      itemOf(3)
    ])
    assert.deepStrictEqual(newest([itemOf(1), itemOf(2, large + large)]), [itemOf(2, large + large)])
  })
})
