/** Programs in a folder, which know nothing of the workspace that tests them. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { root } from "../../scripts/pack/PublicPackages.ts"

const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

/** Where the machine's own programs are. */
const machinePath = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter)

/** `node` is the one that runs the tests, unless the machine's own is asked for. */
const environment = (extra: Readonly<Record<string, string>>) => ({
  PATH: `${join(process.execPath, "..")}${delimiter}${machinePath}`,
  HOME: process.env["HOME"],
  ...extra
})

export const onMachine = { PATH: machinePath }

export const run = async (
  folder: string,
  command: string,
  extra: Readonly<Record<string, string>> = {}
): Promise<string> =>
  (
    await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", command], {
      cwd: folder,
      env: environment(extra)
    })
  ).stdout

export interface Running extends AsyncDisposable {
  /** The first match in what it prints. */
  readonly says: (pattern: RegExp) => Promise<string>
  /** Asks it to stop, and answers the exit code once it and all that it started have ended. */
  readonly stop: () => Promise<number | null>
}

export const start = (
  folder: string,
  command: string,
  extra: Readonly<Record<string, string>> = {}
): Running => {
  const child: ChildProcess = spawn("bash", ["--norc", "-c", command], {
    cwd: folder,
    env: environment(extra),
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that no process is left behind when a test fails.
    detached: true
  })
  let output = ""
  let hasEnded = false
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text))
  const closed = once(child, "close").then(() => (hasEnded = true))
  const stop = async () => {
    child.kill("SIGTERM")
    await closed
    return child.exitCode
  }
  return {
    says: async (pattern) => {
      for (;;) {
        const [found] = pattern.exec(output) ?? []
        if (found !== undefined) return found
        if (hasEnded) throw new Error(`It ended, and said:\n${output}`)
        await Promise.race([closed, once(child.stdout ?? child, "data"), once(child.stderr ?? child, "data")])
      }
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      await closed
    }
  }
}

/** What the compiler says of programs to those who are as strict as can be, and look into the types of packages too. */
export const complaints = async (folder: string, files: ReadonlyArray<string>): Promise<string> => {
  const strict = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--skipLibCheck",
    "false"
  ]
  // One checker, as in `scripts/pack/Compilation.ts`.
  const modules = ["--module", "nodenext", "--allowImportingTsExtensions", "--noEmit", "--checkers", "1"]
  // Effect's types name those of a page.
  const libraries = [
    "--target",
    "es2024",
    "--lib",
    "es2024,dom,dom.iterable,dom.asynciterable,esnext.disposable"
  ]
  const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node"]
  const args = [compiler, ...strict, ...modules, ...libraries, ...types, ...files]
  return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout
  )
}
