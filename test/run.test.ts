import { existsSync, globSync, readFileSync } from "node:fs"
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
    { file: "packages/core/test/usecases/Runs.test.ts", script: "test" }
  ])("are told from the others: npm run $script runs $file", ({ file, script }) => {
    assert.strictEqual(scriptOf(file), script)
  })

  it("runs in CI, after npm test", () => {
    assert.isTrue(existsSync(`${root}/.ci/run`))
    assert.match(readFileSync(`${root}/.ci/run`, "utf8"), /\nnpm test\nnpm run test:later\n$/)
  })
})
