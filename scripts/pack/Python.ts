/** The SDK for Python: its wheel and its source distribution, where this machine has a Python to build them. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { root } from "./PublicPackages.ts"

const isRecent = "import sys; sys.exit(sys.version_info < (3, 10))"

/** The command of a Python of 3.10 or later, if there is one. */
export const python = [
  process.env["RUNHOOK_PYTHON"] ?? "python3",
  "python3.13",
  "python3.12",
  "python3.11"
].find((command) => spawnSync(command, ["-c", isRecent]).status === 0)

/** Builds them into a folder, and gives their files; none without a Python. */
export const packPython = async (into: string): Promise<ReadonlyArray<string>> => {
  if (python === undefined) return []
  await mkdir(into, { recursive: true })
  const built = execFileSync(python, [join(root, "packages/sdk-python/backend.py"), into], {
    encoding: "utf8",
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
  })
  return built
    .trim()
    .split("\n")
    .map((name) => join(into, name))
}
