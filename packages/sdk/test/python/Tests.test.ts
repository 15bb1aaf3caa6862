/** The tests that are written in Python, and what its type checkers say, where they are installed. */
import { execFileSync } from "node:child_process"
import { everyPython } from "@runhook/test-support/Python"
import { assert, it } from "vitest"
import { python, pythonEnvironment, pythonHome } from "./Python.ts"

/** What a program prints; undefined if it cannot be started. */
const printed = (command: string, args: ReadonlyArray<string>): string | undefined => {
  try {
    return execFileSync(command, args, {
      cwd: pythonHome,
      env: pythonEnvironment,
      encoding: "utf8",
      stdio: "pipe"
    })
  } catch (cause) {
    if (Object(cause).code === "ENOENT") return undefined
    throw new Error(`${command} ${args.join(" ")}: ${Object(cause).stdout}${Object(cause).stderr}`, { cause })
  }
}

const leftOut = (what: string) => process.stdout.write(`${what} is not installed, and left out here\n`)

const has = (module: string): boolean => {
  try {
    return printed(python ?? "", ["-m", module, "--version"]) !== undefined
  } catch {
    return false
  }
}

it.each(everyPython())("the SDK for Python passes its own tests on $version", ({ command }) => {
  const said = printed(command, ["-m", "unittest", "discover", "-s", "test"])

  assert.isDefined(said)
})

it.each(["mypy", "pyright"])("%s finds nothing in the SDK for Python", (checker) => {
  if (!has(checker)) return void leftOut(checker)
  const said = printed(python ?? "", ["-m", checker])
  assert.match(said ?? "", /Success|^0 errors/)
})
