/** `build.mjs` and `start.mjs` in a small tree of their own: which of the two a start runs, the sources or what was made of them. */
import { execFile } from "node:child_process"
import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const real = fileURLToPath(new URL("../", import.meta.url))

const run = promisify(execFile)

/** A program that says which word it has, which file it runs from, and where it believes to lie. */
const program = `
  import { word } from "./Word.ts"
  export const main = (): void => {
    const ranFrom = /(dist.runhook\\.mjs|src.main\\.ts)/.exec(String(new Error().stack))?.[1]
    console.log(JSON.stringify({ word, ranFrom, place: import.meta.url }))
  }`

const wordFile = (word: string) => `export const word: string = ${JSON.stringify(word)}`

/** Checks whose only effect is to throw. */
const checks = [
  "decodeURIComponent('%ff')",
  "encodeURI('\\ud800')",
  "String.fromCodePoint(-1)",
  "Math.abs(1n)",
  "Number.parseInt(Symbol())",
  "Symbol.for(Symbol())",
  "thrower == 1",
  "nothing.field",
  "class extends thrower {}",
  "later"
]
const checking = `
  const thrower = { [Symbol.toPrimitive]() { throw new Error("thrown") } }
  const nothing = undefined
  const passes = (check) => { try { check(); return true } catch { return false } }
  const passed = [${checks.map((each) => `passes(() => { (${each}) })`).join()}].filter(Boolean)
  const later = 1
  export const word = passed.length === 0 ? "none passed" : "some passed"`

const Said = Schema.fromJsonString(
  Schema.Struct({ word: Schema.String, ranFrom: Schema.String, place: Schema.String })
)

const built = join("dist", "runhook.mjs")
const sources = join("src", "main.ts")

let home: string
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "runhook it's a build ")))
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** A repository of that program. */
const makeTree = async (word = "one") => {
  const root = await mkdtemp(join(home, "a tree "))
  const folder = join(root, "apps/server")
  await mkdir(join(folder, "src"), { recursive: true })
  for (const name of ["build.mjs", "built.mjs", "bundle.mjs", "start.mjs"])
    await copyFile(join(real, name), join(folder, name))
  await symlink(join(real, "node_modules"), join(folder, "node_modules"))
  await writeFile(join(root, "package.json"), `{"type": "module"}`)
  await writeFile(join(root, "pnpm-lock.yaml"), "packages: 1")
  await writeFile(join(folder, "src/main.ts"), program)
  await writeFile(join(folder, "src/Word.ts"), wordFile(word))
  return { root, folder }
}

const build = (folder: string) => run(process.execPath, [join(folder, "build.mjs")])

const start = async (folder: string) => {
  const { stdout } = await run(process.execPath, [join(folder, "start.mjs")])
  return Schema.decodeUnknownSync(Said)(stdout)
}

describe("a start", () => {
  it("runs the sources where nothing was made of them", async () => {
    const { folder } = await makeTree()

    const said = await start(folder)

    assert.deepInclude(said, { word: "one", ranFrom: sources })
  })

  it("runs what was made of the sources, which knows where they lie", async () => {
    const { folder } = await makeTree()
    await build(folder)

    const said = await start(folder)

    const place = pathToFileURL(join(folder, "src/main.ts")).href
    assert.deepStrictEqual(said, { word: "one", ranFrom: built, place })
  })

  it("runs the sources once one of them has changed, until they are built anew", async () => {
    const { folder } = await makeTree()
    await build(folder)
    await writeFile(join(folder, "src/Word.ts"), wordFile("two"))

    const changed = await start(folder)
    await build(folder)
    const anew = await start(folder)

    assert.deepInclude(changed, { word: "two", ranFrom: sources })
    assert.deepInclude(anew, { word: "two", ranFrom: built })
  })

  it("runs the sources when other packages were installed, and where it was moved to", async () => {
    const other = await makeTree()
    const moved = await makeTree()
    for (const { folder } of [other, moved]) await build(folder)
    await writeFile(join(other.root, "pnpm-lock.yaml"), "packages: 2")
    await rename(moved.root, `${moved.root} moved`)

    const said = [await start(other.folder), await start(join(`${moved.root} moved`, "apps/server"))]

    assert.deepStrictEqual(
      said.map(({ ranFrom }) => ranFrom),
      [sources, sources]
    )
  })
})

describe("a build", () => {
  it("leaves what Node compiled of the program for the starts", async () => {
    const { folder } = await makeTree()
    await build(folder)

    const { stderr } = await run(process.execPath, [join(folder, "start.mjs")], {
      env: { NODE_DEBUG_NATIVE: "COMPILE_CACHE" }
    })

    assert.match(stderr, /code cache for ESM \S*dist\/runhook\.mjs was accepted/)
  })

  it("changes nothing while the sources are what it was made of", async () => {
    const { folder } = await makeTree()
    await build(folder)
    const before = await stat(join(folder, built))

    await build(folder)

    const after = await stat(join(folder, built))
    assert.strictEqual(after.ino, before.ino)
  })

  it("makes the same bytes of the same sources", async () => {
    const { folder } = await makeTree()
    await build(folder)
    const first = await readFile(join(folder, built))
    await rm(join(folder, "dist"), { recursive: true })

    await build(folder)

    assert.isTrue(first.equals(await readFile(join(folder, built))))
  })

  it("keeps every check, also one that has no effect but to throw", async () => {
    const { folder } = await makeTree()
    await writeFile(join(folder, "src/Word.ts"), checking)
    await build(folder)

    const said = await start(folder)

    assert.deepInclude(said, { word: "none passed", ranFrom: built })
  })

  it("keeps every text, and writes it in ASCII", async () => {
    const word = "caf\u00e9 \u2713 \u{1f600} \\u00e9 \ufeff"
    const { folder } = await makeTree(word)
    await build(folder)

    const said = await start(folder)

    assert.deepInclude(said, { word, ranFrom: built })
    assert.notMatch(await readFile(join(folder, built), "utf8"), /[^\p{ASCII}]/u)
  })
})
