/** The types as those see them who install the package. */
import { execFile } from "node:child_process"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { assert, beforeAll, describe, it } from "vitest"
import { RunhookAdmin } from "../../src/admin/Admin.ts"
import { Runhook as InEffect } from "../../src/effect/Runhook.ts"
import { Runhook } from "../../src/Runhook.ts"
import { type Built, compiler } from "./Built.ts"
import { hoversIn } from "./Hovers.ts"

const nodeTypes = dirname(dirname(fileURLToPath(import.meta.resolve("@types/node/package.json"))))

const effect = dirname(fileURLToPath(import.meta.resolve("effect/package.json")))

const agentsGuide = fileURLToPath(new URL("../../../../docs/agents/README.md", import.meta.url))

const settings = { baseUrl: "http://service.test", apiKey: "rhlive_a_b" }
const admin = new RunhookAdmin({ baseUrl: settings.baseUrl, adminKey: "key" })
const clients = {
  promise: new Runhook(settings),
  admin,
  account: admin.account("a-1"),
  effect: Effect.runSync(
    Effect.provide(
      InEffect,
      InEffect.layer({ ...settings, apiKey: Redacted.make(settings.apiKey) }).pipe(
        Layer.provide(FetchHttpClient.layer)
      )
    )
  )
}

/** Every call below an object, as a program names it. */
const callsIn = (group: object, name: string): ReadonlyArray<string> =>
  Object.entries(group).flatMap(([key, each]) => {
    const path = `${name}.${key}`
    return typeof each === "object" ? callsIn(each, path) : typeof each === "function" ? [path] : []
  })

/** The Effect client's own two, beside the calls that both have. */
const withoutExample = /^clients\.effect\.(.*\.page|request) /

/** Of the package that is built by then. */
export const publishedTypes = (built: () => Built) =>
  describe("the published types", () => {
    let consumer: string
    beforeAll(async () => {
      consumer = join(built().directory, "consumer")
      const scope = join(consumer, "node_modules", "@runhook")
      await mkdir(scope, { recursive: true })
      await symlink(built().directory, join(scope, "sdk"))
      await symlink(effect, join(consumer, "node_modules", "effect"))
      // The package is a link, and what it imports is looked up from where it really is.
      await symlink(join(consumer, "node_modules"), join(built().directory, "node_modules"))
      await writeFile(join(consumer, "package.json"), JSON.stringify({ type: "module" }))
    })

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
      // One checker, as in `scripts/pack/Compilation.ts`.
      const given = [...strict, "--checkers", "1", "--module", "nodenext", "--target", "es2022"]
      const args = [compiler, ...given, ...options, ...names]
      return promisify(execFile)(process.execPath, args, { cwd: consumer }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { readonly stdout: string }) => stdout
      )
    }

    it("hold every example of the README and of the agents' guide", async () => {
      const pages = await Promise.all(
        [join(built().directory, "README.md"), agentsGuide].map((path) => readFile(path, "utf8"))
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

    it("show in an editor what each call of each client does", async () => {
      const lines = [
        `import { Runhook } from "@runhook/sdk"`,
        `import { type Account, RunhookAdmin } from "@runhook/sdk/admin"`,
        `import { Runhook as InEffect } from "@runhook/sdk/effect"`,
        `declare const clients: { promise: Runhook, admin: RunhookAdmin, account: Account, effect: InEffect["Service"] }`
      ]
      const named = Object.entries(clients).flatMap(([name, client]) =>
        callsIn(client, `clients.${name}`).map((call) => `${call} // ${call}`)
      )
      const source = [...lines, ...named].join("\n")
      const path = join(consumer, "hovers.ts")
      await writeFile(path, source)

      const shown = await hoversIn(
        path,
        named.map((line) => source.indexOf(`\n${line}`) + line.indexOf(" //"))
      )

      assert.isAbove(named.length, 100)
      assert.deepStrictEqual(
        named.filter((_, index) => !/```\n\w/.test(shown[index] ?? "")),
        []
      )
      assert.deepStrictEqual(
        named.filter(
          (_, index) => !shown[index]?.includes("*@example*") && !withoutExample.test(named[index] ?? "")
        ),
        []
      )
    })

    it("show examples that compile", async () => {
      const texts = [
        "id",
        "person",
        "agent_id",
        "task_id",
        "execution_id",
        "input_id",
        "job_id",
        "key_id",
        "version_id",
        "url",
        "callback_url"
      ]
      const given = `
      import { Runhook } from "@runhook/sdk"
      import { type Account, RunhookAdmin } from "@runhook/sdk/admin"
      declare const runhook: Runhook
      declare const admin: RunhookAdmin
      declare const account: Account
      declare const signal: AbortSignal
      ${texts.map((name) => `declare const ${name}: string`).join("\n")}
      ${["order", "params", "file", "execution"].map((name) => `declare const ${name}: any`).join("\n")}`
      const shown = [...built().files]
        .filter(([path]) => /^dist\/(admin|promise|requests)\/.*\.d\.ts$/.test(path))
        .flatMap(([, text]) => [...text.matchAll(/@example\n\s*\* ```ts\n([^]*?)```/g)])
        .map(([, example = ""]) => `{ ${example.replaceAll(/^\s*\* ?/gm, "")} }`)

      assert.isAbove(shown.length, 60)
      assert.strictEqual(
        await complaints(
          [`${given}\n${shown.join("\n")}`],
          ["--lib", "es2023,dom,dom.asynciterable", "--types", ""]
        ),
        ""
      )
    })
  })
