import { globSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { runhook } from "../src/Commands.ts"
import { leavesOf } from "./CommandTree.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

describe("docs/operating/commands.md", () => {
  it("shows all that call a running service, and the other pages the rest", async () => {
    const files = globSync("docs/{*,integrating/*,operating/*}.md", { cwd: root })
    const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")))
    const all = texts.join("\n")

    const missing = leavesOf(runhook, "runhook").filter((path) => !new RegExp(`${path}\\b`).test(all))

    assert.deepStrictEqual(missing, [])
  })
})
