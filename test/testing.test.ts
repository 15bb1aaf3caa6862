/** `@runhook/testing` as others have it: packed, and unpacked beside the SDK in a folder outside the workspace. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { pack, type Packed } from "../scripts/pack/Packing.ts"
import { read } from "./packages/Page.ts"

const name = "@runhook/testing"

/** Compilers and other programs share their machine with other tests. */
const timeoutMs = 60_000

let home: string
let packed: ReadonlyArray<Packed>
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "runhook testing "))
  packed = await pack({ into: join(home, "tarballs"), only: ["@runhook/sdk", name] })
  for (const { file, manifest } of packed) {
    const unpacked = join(home, "node_modules", manifest.name)
    await mkdir(unpacked, { recursive: true })
    await promisify(execFile)("tar", ["-xzf", file, "-C", unpacked, "--strip-components=1"])
  }
}, timeoutMs)
afterAll(() => rm(home, { recursive: true, force: true }))

/** The Node of the tests, and the machine's own where it is another. */
const nodes = [...new Set([process.execPath, "/usr/bin/node", "/usr/local/bin/node"].filter(existsSync))]

/** What a program prints. One that does not end by itself is ended, which fails its test. */
const run = async (file: string, text: string, node = process.execPath): Promise<string> => {
  await mkdir(join(home, "program"), { recursive: true })
  await writeFile(join(home, "program", file), text)
  const options = { cwd: join(home, "program"), timeout: timeoutMs / 2 }
  return (await promisify(execFile)(node, [file], options)).stdout
}

const check = `
  const fake = createFakeRunhook({ tasks: { print: { paramsSchema: { required: ["copies"] } } }, agents: ["Press"] })
  const check = async () => {
    const order = { agent_id: fake.agentIds.Press, task_id: fake.taskIds.print }
    const refused = await fake.client.executions.create(order).catch((error) => error)
    const { execution_id } = await fake.client.executions.create({ ...order, params: { copies: 1 } })
    fake.capture(execution_id, { file_name: "page.txt", content: "a page" })
    fake.complete(execution_id)
    const { status } = await fake.client.executions.waitFor(execution_id)
    console.log(status, refused instanceof InvalidParamsError, refused.details[0].path)
  }
  void check()`

describe("the service in memory", { timeout: timeoutMs }, () => {
  it.each([
    ["module.mjs", (from: string, what: string) => `import { ${what} } from "${from}"\n`],
    ["common.cjs", (from: string, what: string) => `const { ${what} } = require("${from}")\n`]
  ])("runs as %s with the errors of the SDK, ends by itself and leaves nothing", async (file, importing) => {
    const imports = importing(name, "createFakeRunhook") + importing("@runhook/sdk", "InvalidParamsError")

    const said = await run(file, imports + check)

    assert.strictEqual(said, "completed true /copies\n")
    assert.deepStrictEqual(
      (await readdir(join(home, "program"))).filter((each) => !/^(module|common|page|waiting)/.test(each)),
      []
    )
  })

  it.each(nodes)("does on %s what its page says", async (node) => {
    // They have no types, so that every Node can run them.
    const { outputs, programs } = read("packages/testing/README.md")

    const said: Array<string> = []
    for (const program of programs.values()) said.push(await run("page.mjs", program, node))

    assert.deepStrictEqual(said, outputs)
  })

  it("goes on while its caller waits, and ends when nobody does", async () => {
    const waiting = `
      import { createFakeRunhook } from "${name}"
      const fake = createFakeRunhook({ tasks: { print: {} }, agents: ["Press"], receive: () => new Response() })
      const { execution_id } = await fake.client.executions.create({
        agent_id: fake.agentIds.Press, task_id: fake.taskIds.print, callback_url: "https://shop.example.com/hooks"
      })
      console.log((await fake.client.executions.get(execution_id, { wait: 1 })).status)`

    assert.strictEqual(await run("waiting.mjs", waiting), "queued\n")
  })

  it("needs the SDK alone, and says whose work it holds", async () => {
    const found = packed.find(({ manifest }) => manifest.name === name)
    const notices = await readFile(join(home, "node_modules", name, "dist/NOTICES.txt"), "utf8")

    assert.deepStrictEqual(Object.keys(found?.manifest.dependencies ?? {}), ["@runhook/sdk"])
    for (const each of ["effect", "ajv", "re2js"]) assert.match(notices, new RegExp(`^${each} \\d`, "m"))
  })
})
