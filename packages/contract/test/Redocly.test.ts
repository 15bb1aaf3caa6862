import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { apiNames, documents } from "./Documents.ts"

const linter = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js")

/** What the linter has to say about a document, and its exit code. It talks to nobody else. */
const lint = (path: string) =>
  new Promise<{ readonly code: number | string; readonly output: string }>((resolve) => {
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      CI: "true"
    }
    // It does not look at what a parameter may be: OpenApiDocument.test.ts does.
    const rule = ["--skip-rule", "no-ambiguous-paths"]
    const words = [linter, "lint", "--extends", "recommended-strict", ...rule, "--format", "stylish", path]
    execFile(process.execPath, words, { env, timeout: 170_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    )
  })

describe.each(apiNames)("the OpenAPI document of the %s API", (name) => {
  it("has nothing for a strict linter to find", { timeout: 180_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "runhook-openapi-"))
    const path = join(folder, `${name}.json`)
    await writeFile(path, JSON.stringify(documents[name]))

    const { code, output } = await lint(path)

    await rm(folder, { recursive: true })
    assert.strictEqual(code, 0, output)
    assert.notInclude(output, "warning")
  })
})
