/** Every command of docs/operating/commands.md does something, one after the other, on one service with the demo. */
import { execFile } from "node:child_process"
import { chmod, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { developmentServer } from "./RunhookProcess.ts"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../../../", import.meta.url))
const page = join(root, "docs/operating/commands.md")
const program = fileURLToPath(new URL("../dist/runhook.mjs", import.meta.url))

/** The first id that a command prints. */
const idFrom = (command: string) => `$(npx runhook ${command} | grep -m1 '"id"' | cut -d '"' -f 4)`

/** The demo's inbox knows the secret of the demo's key alone. */
const refusedTest = `TARGET=${idFrom("alerts targets")}
if npx runhook alerts test $TARGET; then exit 1; fi 2>&1`

/** A callback arrives in its own time. */
const delivered = `until npx runhook deliveries list --status delivered | grep -q execution.completed; do :; done`

describe("docs/operating/commands.md", () => {
  it.live("shows commands that work", () =>
    Effect.gen(function* () {
      const { baseUrl, dataDir, settings } = yield* developmentServer()
      const text = (yield* Effect.promise(() => readFile(page, "utf8"))).replaceAll(
        "http://127.0.0.1:8700",
        baseUrl
      )
      const blocks = [...text.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = ""]) => block)
      const script = blocks
        .join("")
        .replace(/(?=^.*executions get)/m, `EXECUTION=${idFrom("executions list")}\n`)
        .replace(
          /(?=^.*deliveries get)/m,
          `${delivered}\nDELIVERY=${idFrom("deliveries list --status delivered")}\n`
        )
        .replace(/^.*alerts test.*$/m, refusedTest)
      const npx = join(dataDir, "npx")
      yield* Effect.promise(() =>
        writeFile(npx, `#!/bin/sh\nshift; exec '${process.execPath}' '${program}' "$@"\n`)
      )
      yield* Effect.promise(() => chmod(npx, 0o755))
      const shell = (args: ReadonlyArray<string>) =>
        Effect.promise(() =>
          run("bash", ["-euo", "pipefail", ...args], {
            cwd: dataDir,
            env: {
              ...settings,
              NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
              PATH: `${dataDir}:${process.env["PATH"]}`,
              RUNHOOK_BASE_URL: baseUrl
            }
          })
        )

      const { stdout } = yield* shell(["-c", script])
      assert.include(stdout, '"status": "completed"')
      assert.match(stdout, /^\+ {6}"type": "string"$/m)
      assert.match(stdout, /"round": 2/)
      assert.match(
        stdout,
        /The test was not taken: The receiver answered 401\n[^]*"paused_until": "2030-[^]*"paused_until": null/
      )
    })
  )
})
