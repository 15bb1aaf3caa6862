/** The Pythons of this machine that build the SDK for Python and run its tests. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

/** Its version, such as 3.13, unless it is too old, or lacks what the SDK needs. */
const versionOf = (command: string): string | undefined => {
  const program = "import sys, ssl, venv; sys.version_info < (3, 10) or print('%d.%d' % sys.version_info[:2])"
  const { stdout, status } = spawnSync(command, ["-c", program], { encoding: "utf8" })
  return (status === 0 && stdout.trim()) || undefined
}

const installed = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions")

const commands = [
  process.env["RUNHOOK_PYTHON"] ?? "python3",
  "python3.13",
  "python3.12",
  "python3.11",
  "python3.10"
]

/** The command of a Python of 3.10 or later. */
export const python = commands.find(versionOf)

/** One command for each version that is there, by pyenv too: those that the SDK promises to run on. */
export const everyPython = (): ReadonlyArray<{ readonly version: string; readonly command: string }> => {
  const known = existsSync(installed)
    ? readdirSync(installed).map((name) => join(installed, name, "bin/python"))
    : []
  const found = new Map<string, string>()
  for (const command of [...commands, ...known]) {
    const version = versionOf(command)
    if (version !== undefined && !found.has(version)) found.set(version, command)
  }
  return [...found].map(([version, command]) => ({ version, command }))
}
