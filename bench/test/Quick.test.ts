import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const bench = (...args: ReadonlyArray<string>) => promisify(execFile)(process.execPath, [main, ...args])

/** In milliseconds: it starts a database, the service and what it is compared with. */
const runMax = 300_000

describe("npm run bench", () => {
  it(
    "measures the service, in its shortest form",
    async () => {
      const { stdout } = await bench("create", "--quick")

      const rows = stdout.split("\n").filter((line) => /^\| \d+ \|/.test(line))
      const connections = rows.map((row) => row.split("|")[1]?.trim())
      assert.deepStrictEqual(connections, ["1", "64"])
    },
    runMax
  )

  it.each(["deliver", "isolation", "neighbours", "parked", "soak"])(
    "measures in its shortest form: %s",
    async (name) => {
      const { stdout } = await bench(name, "--quick")

      assert.include(stdout, `### ${name}`)
    },
    runMax
  )

  it(
    "says how it is used when it is asked for something else",
    async () => {
      const refused = await bench("fly").catch((error: unknown) => error)

      assert.include(refused, { code: 2 })
      assert.match(
        String(refused),
        /Usage: npm run bench -- claim\|create\|deliver\|isolation\|lifecycle\|list\|neighbours\|parked\|schemas\|soak/
      )
    },
    runMax
  )
})
