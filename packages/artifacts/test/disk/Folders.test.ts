import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { makeFolder } from "../../src/disk/Folders.ts"

let root = ""
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "runhook folders "))
})
afterAll(() => rm(root, { recursive: true }))

describe("makeFolder", () => {
  it("is told by one of many that make the same folder at once, with folders above it", async () => {
    for (let round = 0; round < 50; round++) {
      const folder = join(root, `round ${round}`, "above", "below")

      const made = await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)))

      assert.strictEqual(made.filter(Boolean).length, 1)
      assert.strictEqual((await stat(folder)).mode & 0o777, 0o700)
    }
  })

  it("makes nothing of a folder that is there, and takes no file for one", async () => {
    const file = join(root, "file")
    await writeFile(file, "")

    assert.isFalse(await makeFolder(root))
    const failure = await makeFolder(file).catch((cause: unknown) => cause)
    assert.include(String(failure), "EEXIST")
  })
})
