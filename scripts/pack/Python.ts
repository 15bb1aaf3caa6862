/** The SDK for Python: its wheel and its source distribution, where this machine has a Python to build them. */
import { execFileSync } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { python } from "@runhook/test-support/Python"
import { root } from "./PublicPackages.ts"

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
