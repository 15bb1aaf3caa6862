/** The SDK for Go, if this machine has a Go: its folder, and a process of it that makes calls. */
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type CallProcess, startProcess } from "../CallProcess.ts"

/** Its version, such as 1.26, unless it is too old. */
const versionOf = (command: string): string | undefined => {
  const { status, stdout } = spawnSync(command, ["env", "GOVERSION"], { encoding: "utf8" })
  const [, version, minor = 0] = (status === 0 && /^go(1\.(\d+))/.exec(stdout)) || []
  return Number(minor) >= 24 ? version : undefined
}

const installed = process.env["RUNHOOK_GO"] ?? "go"

/** The command of a Go of 1.24 or later. */
export const go = versionOf(installed) === undefined ? undefined : installed

/** The folder of the SDK for Go. */
export const goHome = fileURLToPath(new URL("../../../sdk-go", import.meta.url))

/** Nothing is fetched: the SDK depends on nothing. */
export const goEnvironment = { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" }

if (go === undefined) process.stdout.write("No Go 1.24 or later was found: the SDK for Go is left out here\n")

/** Longer than a loaded machine takes to compile the SDK, and what it uses of Go for the first time. */
export const compileTimeout = 600_000

export interface GoCall {
  /** Of the client; limits in seconds. */
  readonly options: object
  /** What is called, one of the expressions that the process was made with. */
  readonly call: string
  /** What the expression finds in `given`. */
  readonly given?: object
  /** Whether pauses are over at once. */
  readonly clock?: boolean
}

export type GoProcess = CallProcess<GoCall>

/** A process that makes the calls of these expressions, which are compiled into it. */
export const startGo = async (command: string, expressions: Iterable<string>): Promise<GoProcess> => {
  const folder = mkdtempSync(join(tmpdir(), "runhook-go-"))
  const source = join(folder, "calls.go")
  const overlay = join(folder, "overlay.json")
  const program = join(folder, "harness")
  writeFileSync(source, programOf(new Set(expressions)))
  writeFileSync(overlay, JSON.stringify({ Replace: { [join(goHome, "harness_calls_test.go")]: source } }))
  const compiling = ["test", "-c", "-vet=off", "-overlay", overlay, "-o", program, "."]
  await promisify(execFile)(command, compiling, { cwd: goHome, env: goEnvironment })
  const calls = startProcess<GoCall>(program, [], { ...process.env, RUNHOOK_HARNESS: "1" })
  return {
    call: calls.call,
    async [Symbol.asyncDispose]() {
      await calls[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Adds the expressions to the calls that the harness knows. */
const programOf = (expressions: ReadonlySet<string>): string => {
  const lines = Array.from(expressions, (expression) => {
    const head = `\tcalls[${JSON.stringify(expression)}] = func(ctx context.Context, client *Client, given map[string]any) (any, error)`
    return `${head} {\n\t\treturn ${expression}\n\t}\n`
  })
  return `package runhook\n\nimport "context"\n\nfunc init() {\n${lines.join("")}}\n`
}
