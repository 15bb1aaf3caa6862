/** The programs of docs/integrating/evidence.md do what the page says. */
import { execFile, execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { sign } from "@runhook/core/signing/EvidenceSigner"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { python } from "../python/Python.ts"
import { forged } from "./Forged.ts"
import { fileOf, invoice, jwks, manifest, signer } from "./Signed.ts"

const page = new URL("../../../../docs/integrating/evidence.md", import.meta.url)
const sdk = fileURLToPath(new URL("../../", import.meta.url))

const hasCryptography = (command: string): boolean => {
  try {
    execFileSync(command, ["-c", "import cryptography"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** How each language runs its program, where this machine has what it needs. */
const runs = [
  { language: "ts", command: process.execPath, file: "program.mts", says: "e-1 completed 0\n" },
  ...(python !== undefined && hasCryptography(python)
    ? [{ language: "python", command: python, file: "program.py", says: "" }]
    : [])
]
if (runs.length === 1)
  process.stdout.write(
    "No Python with cryptography was found: its program of the evidence page is not tried\n"
  )

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "runhook-evidence-"))
  await mkdir(join(directory, "node_modules/@runhook"), { recursive: true })
  await symlink(sdk, join(directory, "node_modules/@runhook/sdk"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const genuineText = sign(signer, { ...manifest, files: [fileOf("f-1", "invoice.pdf", invoice)] })

/** What the page's program says of a file; a failure is what it says at last. */
const saidOf = async (
  { command, file, language }: (typeof runs)[number],
  content: string,
  evidence = genuineText
) => {
  const [, program = ""] =
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(await readFile(page, "utf8")) ?? []
  await writeFile(join(directory, file), program)
  await writeFile(join(directory, "evidence.json"), JSON.stringify({ evidence, request_id: "req_1" }))
  await writeFile(join(directory, "jwks.json"), JSON.stringify(jwks))
  await writeFile(join(directory, "invoice.pdf"), content)
  return promisify(execFile)(command, [file], { cwd: directory }).then(
    ({ stdout }) => stdout,
    (error: { readonly stderr: string }) => error.stderr
  )
}

describe.each(runs)("the program of the page in $language", (run) => {
  it("accepts the file that the evidence states, and names one of which a byte is another", async () => {
    const genuine = await saidOf(run, invoice)
    const changed = await saidOf(run, invoice.replace("D", "d"))

    assert.strictEqual(genuine, run.says)
    assert.match(changed, /invoice\.pdf/)
    assert.match(changed, /content_mismatch|sha256|AssertionError/)
  })

  it.each(forged)("rejects evidence that $name, without reading a file", async ({ text }) => {
    const said = await saidOf(run, invoice, text)

    assert.notMatch(said, /^e-1|^$|AssertionError|FileNotFoundError/)
    assert.match(said, /rejected|Error|InvalidSignature/)
  })
})
