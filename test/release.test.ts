/** `npm run release`: what it refuses. `test/packages.test.ts` looks at what it makes. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { unfit } from "../scripts/release/Licences.ts"
import { obstacles, treeOf } from "../scripts/release/Readiness.ts"

const ready = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-23\n\nWhat is new.\n"

let folder: string

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
    cwd: folder,
    stdio: "pipe"
  })

const commit = (changelog: string) => {
  writeFileSync(join(folder, "CHANGELOG.md"), changelog)
  git("add", ".")
  git("commit", "--allow-empty", "--quiet", "--message", "Say what is new")
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "runhook-release-"))
  git("init", "--quiet", "--initial-branch", "main")
  commit(ready)
})
afterEach(() => rmSync(folder, { recursive: true }))

const found = (versions: ReadonlyArray<string> = ["1.2.3", "1.2.3"]) =>
  obstacles({ ...treeOf(folder), versions })

const refused: ReadonlyArray<readonly [what: string, does: () => unknown, says: string]> = [
  ["files that are not in the commit", () => writeFileSync(join(folder, "new.ts"), ""), "?? new.ts"],
  ["another branch", () => git("switch", "--quiet", "--create", "other"), "not from other"],
  ["a version that is tagged", () => git("tag", "v1.2.3"), "v1.2.3 is tagged"],
  ["a changelog without the version", () => commit(ready.replace("1.2.3", "1.2.2")), `"## [1.2.3] - "`],
  ["an entry without a date", () => commit(ready.replace("2026-11-23", "soon")), "the date"],
  ["lines under Unreleased", () => commit(ready.replace("released]\n", "released]\n- More.\n")), "Move what"]
]

describe("a release", () => {
  it("is made of a clean main with an entry in the changelog", () => {
    assert.deepStrictEqual(found(), [])
  })

  it.each(refused)("is refused for %s", (_what, does, says) => {
    does()

    const [obstacle = "", ...others] = found()

    assert.include(obstacle, says)
    assert.deepStrictEqual(others, [])
  })

  it("is refused for packages of two versions", () => {
    assert.include(found(["1.2.3", "1.2.4"]).join(), "not 1.2.3 and 1.2.4")
  })

  it("may bring what lets everyone use, change and pass it on, and names the rest", () => {
    const licences = ["MIT", "(MPL-2.0 OR Apache-2.0)", "MIT AND GPL-3.0-only", "none named", undefined]
    const components = licences.map((licence, place) => ({
      name: `of-${place}`,
      version: "1.0.0",
      licence,
      integrity: undefined,
      needs: []
    }))

    assert.deepStrictEqual(unfit(components), [
      "of-2@1.0.0 (MIT AND GPL-3.0-only)",
      "of-3@1.0.0 (none named)"
    ])
  })
})
