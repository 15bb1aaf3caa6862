import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { serverUrl } from "@runhook/test-support/postgres/TestServer"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

/** In milliseconds: it starts the service and what it is compared with. */
const runMax = 600_000

/** On the database server that all tests share, so what other tests do is counted too. */
const bench = async (...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.execPath, [main, ...args], {
    env: { ...process.env, RUNHOOK_DATABASE_URL: await serverUrl() }
  })

/** As tables have it. */
const figure = /^(?:n\/a|-?[\d.,]+)$/

/** Only Linux tells it of another process, and a server that is given may run anywhere. */
const cpuTime =
  process.platform === "linux" && process.env["RUNHOOK_DATABASE_URL"] === undefined ? /^-?[\d.,]+$/ : figure

/** What stands in the columns of these names, in all tables. */
const cellsUnder = (text: string, ...names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const cells = new Array<string>()
  let columns: ReadonlyArray<string> = []
  for (const line of text.split("\n")) {
    const row = line.split("|").map((cell) => cell.trim())
    if (row.length === 1) columns = []
    else if (columns.length === 0) columns = row
    else if (!line.startsWith("| ---"))
      cells.push(...row.filter((_, place) => names.includes(columns[place] ?? "")))
  }
  return cells
}

describe("npm run bench", () => {
  it(
    "measures in its shortest form whatever it is asked for",
    async () => {
      const names = ["create", "deliver", "isolation", "soak", "trickle"]

      const { stdout } = await bench(...names, "--quick")

      assert.deepStrictEqual(cellsUnder(stdout, "connections").slice(0, 6), ["1", "1", "1", "8", "8", "8"])
      for (const name of names) assert.include(stdout, `### ${name}`)
      const told = cellsUnder(stdout, "PostgreSQL CPU us", "PostgreSQL CPU ms a second")
      assert.isAtLeast(told.length, names.length)
      for (const cell of told) assert.match(cell, figure)
      // On a busy machine no piece of work may end in a window as short as these.
      assert.isAtLeast(told.filter((cell) => cpuTime.test(cell)).length, names.length - 2)
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
        /Usage: npm run bench -- citus\|claim\|create\|deliver\|isolation\|lifecycle\|list\|model\|soak\|trickle/
      )
    },
    runMax
  )
})
