/** `@runhook/testing` as others have it: packed, and installed beside the SDK outside of the workspace. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, beforeAll, describe, it } from "vitest"
import type { Installation } from "./Installation.ts"
import { read } from "./Page.ts"

const name = "@runhook/testing"

/** Compilers and other programs share their machine with other tests. */
const timeoutMs = 60_000

/** The machine's own Node where it is not that of the tests, on which the page of each package runs. */
const otherNodes = ["/usr/bin/node", "/usr/local/bin/node"].filter(
  (node) => node !== process.execPath && existsSync(node)
)

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

/** The service in memory, of the packages that are installed by then. */
export const serviceInMemory = (installation: () => Installation) =>
  describe("the service in memory", { timeout: timeoutMs }, () => {
    let folder: string
    beforeAll(async () => {
      folder = await installation().folderWith(["@runhook/sdk", name])
    })

    /** What a program prints. One that does not end by itself is ended, which fails its test. */
    const run = async (file: string, text: string, node = process.execPath): Promise<string> => {
      await writeFile(join(folder, file), text)
      return (await promisify(execFile)(node, [file], { cwd: folder, timeout: timeoutMs / 2 })).stdout
    }

    it.each([
      ["module.mjs", (from: string, what: string) => `import { ${what} } from "${from}"\n`],
      ["common.cjs", (from: string, what: string) => `const { ${what} } = require("${from}")\n`]
    ])(
      "runs as %s with the errors of the SDK, ends by itself and leaves nothing",
      async (file, importing) => {
        const imports = importing(name, "createFakeRunhook") + importing("@runhook/sdk", "InvalidParamsError")

        const said = await run(file, imports + check)

        assert.strictEqual(said, "completed true /copies\n")
        assert.deepStrictEqual(
          (await readdir(folder)).filter((each) => !/^(module|common|page|waiting|node_modules)/.test(each)),
          []
        )
      }
    )

    it.each(otherNodes)("does on %s what its page says", async (node) => {
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
      const found = installation().packed.find(({ manifest }) => manifest.name === name)
      const notices = await readFile(join(installation().folderOf(name), "dist/NOTICES.txt"), "utf8")

      assert.deepStrictEqual(Object.keys(found?.manifest.dependencies ?? {}), ["@runhook/sdk"])
      for (const each of ["effect", "ajv", "re2js"]) assert.match(notices, new RegExp(`^${each} \\d`, "m"))
    })
  })
