import { assert, describe, it } from "@effect/vitest"
import { filesInCircles } from "./architecture/Circles.ts"
import { fileProblems, linesMax } from "./architecture/FileRules.ts"
import { upward } from "./architecture/Floors.ts"
import { fullFolders } from "./architecture/Folders.ts"
import { importProblems } from "./architecture/ImportRules.ts"
import { importsOf } from "./architecture/Imports.ts"
import { reachAdvice, reaches, reachOf } from "./architecture/Reach.ts"
import { smallFilesOfFewReaders } from "./architecture/SmallFiles.ts"
import { unnamedVerbs } from "./architecture/Verbs.ts"
import { links, read, workspace } from "./architecture/Workspace.ts"
import { articleFixtures, isOfTests, ownWorlds, worldProblems } from "./architecture/Worlds.ts"

/** Services that use cases of one process share. */
const mechanisms = /\/(?:Draining|KnownWork|UsageCounter)\.ts$/

describe("the workspace", () => {
  it.each(workspace)("$folder imports only what the table allows", ({ files, dependencies }) => {
    const problems = files.flatMap((file) => importProblems(file, read(file), dependencies))

    assert.deepStrictEqual(problems, [])
  })

  it.each(workspace)("$folder has short files, named after one idea", ({ folder, files }) => {
    const sources = files.filter((file) => file.startsWith(`${folder}/src/`))

    const problems = sources.flatMap((file) => fileProblems(file, read(file)))

    assert.deepStrictEqual(problems, [])
  })

  it("has folders that are read at a glance", () => {
    assert.deepStrictEqual(fullFolders(), [])
  })

  it("has no small file that fewer than two others read", () => {
    assert.deepStrictEqual(smallFilesOfFewReaders(), [])
  })

  it("has no sources that import each other", () => {
    assert.deepStrictEqual(filesInCircles(), [])
  })

  it.each(reaches)("$root leads to at most $files files and $lines lines", ({ files, lines, root }) => {
    const reach = reachOf(root)

    assert.isAtMost(reach.files, files, reachAdvice)
    assert.isAtMost(reach.lines, lines, reachAdvice)
  })

  it("leads from no rule of the core to a port, and from no port or engine to a use case", () => {
    assert.deepStrictEqual(upward(), [])
  })

  it("gives each use case and loop of the core a name by which it is found", () => {
    const files = workspace
      .flatMap((each) => each.files)
      .filter((file) => file.startsWith("packages/core/src/") && !mechanisms.test(file))

    const problems = files.flatMap((file) => unnamedVerbs(file, read(file)))

    assert.isAbove(files.length, 20)
    assert.deepStrictEqual(problems, [])
  })

  it.each([...links.keys()])("%s links to nothing that leads back to it", (name) => {
    const reached = new Set(links.get(name))
    for (const each of reached) for (const next of links.get(each) ?? []) reached.add(next)

    assert.isFalse(reached.has(name), [...reached].join(", "))
  })

  it("has one world for all tests, but for those that are listed", () => {
    assert.deepStrictEqual(worldProblems(workspace.flatMap(({ files }) => files)), [])
  })

  it.each(workspace)("$folder names its fixtures by what makes them, and not by an article", ({ files }) => {
    const named = files.filter(isOfTests).flatMap((file) => articleFixtures(read(file)))

    assert.deepStrictEqual(named, [])
  })

  it("is not empty", () => {
    const folders = workspace.filter(({ files }) => files.length > 0).map(({ folder }) => folder)

    assert.include(folders, "packages/core")
  })
})

describe("the parser of imports", () => {
  it.each([
    [`import * as A from "a"`, { specifier: "a", typesOnly: false }],
    [`import "a"`, { specifier: "a", typesOnly: false }],
    [`import type { A } from "a"`, { specifier: "a", typesOnly: true }],
    [`import { type A } from "a"`, { specifier: "a", typesOnly: false }],
    [`export { A } from "a"`, { specifier: "a", typesOnly: false }],
    [`export type { A } from "a"`, { specifier: "a", typesOnly: true }],
    [`export * from "a"`, { specifier: "a", typesOnly: false }],
    [`const a = () => import("a")`, { specifier: "a", typesOnly: false }],
    [`const a = (name: string) => import(name)`, { specifier: null, typesOnly: false }],
    [`type A = import("a").A`, { specifier: "a", typesOnly: true }]
  ])("sees %s", (source, expected) => {
    assert.deepStrictEqual(importsOf("A.ts", source), [expected])
  })

  it.each([`// import "a"`, "const a = `import 'a'`", `export const a = 1`])(
    "sees no import in %s",
    (source) => {
      assert.deepStrictEqual(importsOf("A.ts", source), [])
    }
  )

  it("refuses a file it cannot parse", () => {
    assert.throws(() => importsOf("A.ts", "import {"), /A\.ts/)
  })
})

describe("the import rules", () => {
  const dependencies = new Set([
    "effect",
    "@effect/platform-node",
    "@runhook/core",
    "@runhook/contract",
    "undici"
  ])

  it.each([
    ["packages/core/src/shared/Ids.ts", `import * as Schema from "effect/Schema"`],
    ["packages/core/src/shared/Ids.ts", `import { Json } from "./Json.ts"`],
    ["packages/core/src/signing/Signature.ts", `import { createHmac } from "node:crypto"`],
    ["packages/contract/src/Wire.ts", `import { Ids } from "@runhook/core/shared/Ids"`],
    ["packages/http/src/NodeServer.ts", `import * as Node from "@effect/platform-node/NodeHttpServer"`],
    ["packages/guarded-http/src/Undici.ts", `import { Agent } from "undici"`],
    ["packages/sdk/src/runner/Captures.ts", `import { createHash } from "node:crypto"`],
    ["packages/core/test/shared/Ids.test.ts", `import { it } from "@effect/vitest"`],
    ["packages/core/test/shared/Ids.test.ts", `import { Ids } from "../../src/shared/Ids.ts"`],
    ["packages/artifacts/src/disk/Files.ts", `import { open } from "node:fs/promises"`],
    ["apps/server/src/main.ts", `import { connect } from "node:net"`]
  ])("let %s write %s", (file, source) => {
    assert.deepStrictEqual(importProblems(file, source, dependencies), [])
  })

  it.each([
    ["packages/core/src/shared/Ids.ts", `import { Effect } from "effect"`, "imports a barrel"],
    ["apps/server/src/main.ts", `import { HttpRouter } from "effect/http"`, "imports a barrel"],
    ["packages/core/src/shared/Ids.ts", `import { createHash } from "node:crypto"`, "may not import"],
    ["packages/core/src/shared/Ids.ts", `import * as Router from "effect/http/HttpRouter"`, "may not import"],
    [
      "packages/core/src/shared/Ids.ts",
      `import type { Wire } from "@runhook/contract/Wire"`,
      "may not import types"
    ],
    ["packages/contract/src/Wire.ts", `import { Store } from "@runhook/store-pg/Store"`, "may not import"],
    [
      "packages/http/src/Errors.ts",
      `import * as Node from "@effect/platform-node/NodeHttpServer"`,
      "may not import"
    ],
    ["packages/http/src/Errors.ts", `import * as Sql from "effect/sql/SqlClient"`, "may not import"],
    ["packages/store-memory/src/Store.ts", `import "@runhook/contract/Wire"`, "may not import"],
    ["packages/webhook-dispatcher/src/Dispatcher.ts", `import { Agent } from "undici"`, "may not import"],
    [
      "packages/artifacts/src/Limits.ts",
      `import * as Router from "effect/http/HttpRouter"`,
      "may not import"
    ],
    [
      "packages/sdk/src/client.ts",
      `import type { Execution } from "@runhook/contract/Execution"`,
      "may not import types"
    ],
    ["packages/unknown/src/Any.ts", `import * as Schema from "effect/Schema"`, "may not import"],
    ["packages/http/src/Any.ts", `import { Ids } from "../../core/src/shared/Ids.ts"`, "reaches out of"],
    ["packages/http/src/Any.ts", `import { sample } from "../test/Sample.ts"`, "reaches out of"],
    ["packages/core/src/shared/Any.ts", `import { Run } from "../runs/Run.ts"`, "reaches out of"],
    [
      "packages/http/test/Any.test.ts",
      `import { Ids } from "../../core/src/shared/Ids.ts"`,
      "reaches out of"
    ],
    ["packages/core/src/shared/Ids.ts", `const load = (name: string) => import(name)`, "computed"],
    ["apps/server/src/main.ts", `import Ajv from "ajv"`, "package.json does not name"]
  ])("stop %s from writing %s", (file, source, expected) => {
    const [problem, ...others] = importProblems(file, source, dependencies)

    assert.include(problem, expected)
    assert.deepStrictEqual(others, [])
  })
})

describe("the rule of verbs", () => {
  const offering = (verbs: string) =>
    `Context.Service<Tasks>()("Tasks", { make: Effect.gen(function* () { return ${verbs} }) })`

  it("accepts what has a name", () => {
    assert.deepStrictEqual(unnamedVerbs("Tasks.ts", offering("{ create, list: listed }")), [])
  })

  it.each(["create: useCase(build)", "create: (task) => task", "create() {}", "...others"])(
    "refuses %s",
    (offered) => {
      assert.deepStrictEqual(unnamedVerbs("Tasks.ts", offering(`{ ${offered} }`)), [
        `Tasks.ts offers what has no name of its own: ${offered}`
      ])
    }
  )

  it("refuses verbs that it cannot see", () => {
    assert.deepStrictEqual(unnamedVerbs("Tasks.ts", offering("verbs")), [
      "Tasks.ts does not end its make with the verbs that it offers"
    ])
  })
})

describe("the file rules", () => {
  it.each([
    "packages/core/src/shared/Ids.ts",
    "packages/http/src/toWire.ts",
    "apps/server/src/main.ts",
    "apps/server/src/commands/serve.ts"
  ])("accept %s", (file) => {
    assert.deepStrictEqual(fileProblems(file, ""), [])
  })

  it.each([
    ["packages/core/src/shared/ids.ts", "is not named in PascalCase"],
    ["packages/core/src/main.ts", "is not named in PascalCase"],
    ["packages/core/src/shared/index.ts", "is a barrel"]
  ])("refuse %s", (file, expected) => {
    assert.deepStrictEqual(fileProblems(file, ""), [`${file} ${expected}`])
  })

  it.each(['Effect.fn("Keys.find")(find)', 'Effect.withSpan("Keys.find")', "Effect.useSpan(find)"])(
    "keep %s out of the rooms where all work passes",
    (source) => {
      for (const room of ["core", "http", "store-pg", "webhook-dispatcher"]) {
        const file = `packages/${room}/src/deep/Keys.ts`

        const [problem, ...others] = fileProblems(file, source)

        assert.include(problem, "makes spans where all work passes")
        assert.deepStrictEqual(others, [])
      }
      assert.deepStrictEqual(fileProblems("packages/core/src/engine/UseCase.ts", source), [])
    }
  )

  it("let only the response budget stream answers, and files", () => {
    for (const source of [`HttpServerResponse.stream(events)`, `HttpBody.stream(events)`]) {
      assert.lengthOf(fileProblems("apps/server/src/Streams.ts", source), 1)
      assert.deepStrictEqual(fileProblems("packages/http/src/limits/ResponseShare.ts", source), [])
    }
  })

  it("let the rooms where all work passes write functions that make no span", () => {
    const source = `Effect.fnUntraced(function* (): Effect.fn.Return<void> {})`

    assert.deepStrictEqual(fileProblems("packages/http/src/Keys.ts", source), [])
  })

  it("accept the longest file and refuse one line more", () => {
    const file = "packages/core/src/shared/Ids.ts"

    assert.deepStrictEqual(fileProblems(file, "line\n".repeat(linesMax)), [])
    assert.deepStrictEqual(fileProblems(file, "line\n".repeat(linesMax + 1)), [
      `${file} has 301 lines, more than 300`
    ])
  })

  it("accept generated files of any length", () => {
    const file = "packages/sdk/src/wire/Integration.generated.ts"

    assert.deepStrictEqual(fileProblems(file, "line\n".repeat(linesMax + 1)), [])
  })
})

describe("the rules of worlds", () => {
  it("finds a world that is not listed, and a list that is out of date", () => {
    const own = "packages/core/test/accounts/Tenant.ts"

    const problems = worldProblems([own, "packages/core/test/Tenants.test.ts", "packages/core/src/Runner.ts"])

    assert.strictEqual(problems[0], own)
    assert.deepStrictEqual(problems.slice(1), Object.keys(ownWorlds))
  })

  it.each([
    ["const aKey = 1", ["aKey"]],
    ["export const anAgent = (", ["anAgent"]],
    ["function aRun() {}", ["aRun"]],
    ["const answer = 1, all = 2", []],
    ["const makeKey = aKey", []]
  ])("sees fixtures that are named by an article in %s", (source, names) => {
    assert.deepStrictEqual(articleFixtures(source), names)
  })
})
