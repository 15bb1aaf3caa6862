import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { later, scriptOf } from "./run/Later.ts"
import { longest } from "./run/LongestFirst.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

describe("the files that a run begins with", () => {
  it.each(longest)("have %s among them", (file) => {
    assert.isTrue(existsSync(`${root}/${file}`))
  })
})

describe("the tests that npm test leaves to npm run test:all", () => {
  it.each(Object.entries(later))("has files of %s, and CONTRIBUTING names them", (area, globs) => {
    const empty = globs.filter((glob) => globSync(glob, { cwd: root }).length === 0)

    assert.deepStrictEqual(empty, [])
    assert.include(readFileSync(`${root}/CONTRIBUTING.md`, "utf8"), `| ${area} |`)
  })

  it.each([
    { file: "apps/server/test/console/Story.test.ts", script: "test" },
    { file: "apps/server/test/console/Keys.test.ts", script: "test:later" },
    { file: "packages/contract/test/generators/Java.test.ts", script: "test:later" },
    { file: "packages/core/test/runs/Runs.test.ts", script: "test" }
  ])("are told from the others: npm run $script runs $file", ({ file, script }) => {
    assert.strictEqual(scriptOf(file), script)
  })

  it("runs in CI, after npm test", () => {
    assert.isTrue(existsSync(`${root}/.ci/run`))
    assert.match(readFileSync(`${root}/.ci/run`, "utf8"), /\nnpm test\nnpm run test:later\n$/)
  })
})

describe("the end of a run", () => {
  const linesOf = (files: { readonly [name: string]: string }): ReadonlyArray<string> => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "run-"))
    const config = `import { Failures } from "${root}/test/run/Failures.ts"
      export default { test: { globals: true, reporters: ["default", new Failures()] } }`
    for (const [name, text] of Object.entries({ ...files, "vitest.config.ts": config }))
      writeFileSync(join(folder.path, name), text)
    const vitest = [`${root}/node_modules/vitest/vitest.mjs`, "run", "--root", folder.path]
    const { stdout } = spawnSync(process.execPath, vitest, { encoding: "utf8" })
    return stdout.trimEnd().split("\n")
  }

  it("names what failed, wherever it did, with the first line of its error", () => {
    const lines = linesOf({
      "hook.test.js": `describe("a shop", () => {
        beforeAll(() => { throw new Error("no key\\nfor the door") })
        it("opens", () => {})
      })`,
      "import.test.js": `throw new Error("no such file")`,
      "stray.test.js": `it("goes on", () => { Promise.reject(new Error("nobody waits")) })`,
      "title.test.js": `describe("a sum", () => {
        it("is right", () => {})
        it("is wrong", () => { throw new Error("1 is not 2\\n+ 1\\n- 2") })
      })`
    })

    assert.sameMembers(lines.slice(lines.lastIndexOf("") + 1), [
      "FAILED hook.test.js > a shop: no key",
      "FAILED import.test.js: no such file",
      "FAILED outside of any test: nobody waits",
      "FAILED title.test.js > a sum > is wrong: 1 is not 2"
    ])
  })
})
