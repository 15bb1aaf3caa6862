/** The types as those see them who install the package. */
import { execFile } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { buildPackage, type Built, compiler, compilingTimeoutMs } from "./Built.ts"

const nodeTypes = dirname(dirname(fileURLToPath(import.meta.resolve("@types/node/package.json"))))

const effect = dirname(fileURLToPath(import.meta.resolve("effect/package.json")))

const agentsGuide = fileURLToPath(new URL("../../../../docs/agents/README.md", import.meta.url))

/** The files whose calls a client has. */
const resources = ["resources", "effect"].flatMap((folder) =>
  ["Catalog", "Deliveries", "Executions", "Files", "Replays", "Webhooks"].map((name) => `${folder}/${name}`)
)

let built: Built
let consumer: string
beforeAll(async () => {
  built = await buildPackage()
  consumer = join(built.directory, "consumer")
  const scope = join(consumer, "node_modules", "@runhook")
  await mkdir(scope, { recursive: true })
  await symlink(built.directory, join(scope, "sdk"))
  await symlink(effect, join(consumer, "node_modules", "effect"))
  // The package is a link, and what it imports is looked up from where it really is.
  await symlink(join(consumer, "node_modules"), join(built.directory, "node_modules"))
  await writeFile(join(consumer, "package.json"), JSON.stringify({ type: "module" }))
})
afterAll(() => built[Symbol.asyncDispose]())

/** What the compiler says to the sources, with these options beside the strictest. */
const complaints = async (
  sources: ReadonlyArray<string>,
  options: ReadonlyArray<string>
): Promise<string> => {
  const names = await Promise.all(
    sources.map(async (source, index) => {
      const name = `source-${index}.ts`
      await writeFile(join(consumer, name), `${source}\nexport {}\n`)
      return name
    })
  )
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
  const args = [compiler, ...strict, "--module", "nodenext", "--target", "es2022", ...options, ...names]
  return promisify(execFile)(process.execPath, args, { cwd: consumer }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout
  )
}

describe("the published types", { timeout: compilingTimeoutMs }, () => {
  it("hold every example of the README and of the agents' guide", async () => {
    const pages = await Promise.all(
      [join(built.directory, "README.md"), agentsGuide].map((path) => readFile(path, "utf8"))
    )
    const examples = [...pages.join("\n").matchAll(/```ts\n([^]*?)```/g)].map(([, example = ""]) => example)

    const [plain, inEffect] = [false, true].map((wanted) =>
      examples.filter((example) => example.includes("@runhook/sdk/effect") === wanted)
    )
    assert(plain && inEffect)
    assert.isAbove(plain.length, 4)
    assert.isNotEmpty(inEffect)
    const inNode = ["--lib", "es2023", "--typeRoots", nodeTypes, "--types", "node"]
    assert.strictEqual(await complaints(plain, inNode), "")
    // Effect's own declarations want the types of a page.
    assert.strictEqual(await complaints(inEffect, [...inNode, "--skipLibCheck"]), "")
  })

  it("need no types of Node in a page", async () => {
    const source = `
      import { Runhook, type WebhookEvent } from "@runhook/sdk"
      import { verifyWebhook } from "@runhook/sdk/webhooks"
      const runhook = new Runhook({ baseUrl: location.origin, apiKey: "rhlive_a_b" })
      const status: string = (await runhook.executions.get("e-1")).status
      const event: WebhookEvent = await verifyWebhook({ body: "", headers: new Headers(), secrets: "" })
      console.log(status, event.event_id)`

    const lib = [
      "--lib",
      "es2023,dom,dom.iterable,dom.asynciterable",
      "--types",
      "",
      "--skipLibCheck",
      "false"
    ]
    assert.strictEqual(await complaints([source], lib), "")
  })

  it("refuse what the API would refuse", async () => {
    const source = `
      import type { Runhook } from "@runhook/sdk"
      declare const runhook: Runhook
      await runhook.executions.create({ task_id: "t-1" })`

    assert.include(await complaints([source], ["--lib", "es2023,dom", "--types", ""]), "agent_id")
  })

  it.each([...resources])("tell on hover what each call of %s does", (path) => {
    const text = built.files.get(`dist/${path}.d.ts`) ?? ""
    const lines = (text.match(/^export declare const make[^]*?^export type/gm) ?? []).join("\n").split("\n")

    const members = lines.flatMap((line, index) => {
      const [, name] = /^ {4}(?:readonly )?(\w+)(?:\(|: )/.exec(line) ?? []
      return name === undefined ? [] : [{ name, isTold: lines[index - 1]?.trimEnd().endsWith("*/") }]
    })

    assert.isNotEmpty(members)
    assert.deepStrictEqual(
      members.filter(({ isTold }) => !isTold),
      []
    )
  })

  it("show examples on hover that compile", async () => {
    const given = `
      import { Runhook } from "@runhook/sdk"
      declare const runhook: Runhook
      ${["id", "agent_id", "task_id", "execution_id", "url", "callback_url"].map((name) => `declare const ${name}: string`).join("\n")}
      ${["order", "params", "file", "execution"].map((name) => `declare const ${name}: any`).join("\n")}`
    const shown = resources
      .filter((path) => path.startsWith("resources/"))
      .flatMap((path) => [
        ...(built.files.get(`dist/${path}.d.ts`) ?? "").matchAll(/@example\n\s*\* ```ts\n([^]*?)```/g)
      ])
      .map(([, example = ""]) => `{ ${example.replaceAll(/^\s*\* ?/gm, "")} }`)

    assert.isAbove(shown.length, 15)
    assert.strictEqual(
      await complaints([`${given}\n${shown.join("\n")}`], ["--lib", "es2023,dom", "--types", ""]),
      ""
    )
  })
})
