/** The tests that are written in Go, and what its tools say, where they are installed. */
import { execFile } from "node:child_process"
import { assert, describe, it } from "vitest"
import { compileTimeout, go, goEnvironment, goHome } from "./Go.ts"

/** How a program ends, 0 for well, and what it says; undefined if it is not installed. */
const ended = (command: string, args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: unknown; readonly said: string } | undefined>((resolve) => {
    execFile(command, args, { cwd: goHome, env: goEnvironment }, (error, stdout, stderr) => {
      const code = error?.code ?? 0
      resolve(code === "ENOENT" ? undefined : { code, said: stdout + stderr })
    })
  })

describe.runIf(go !== undefined)("the SDK for Go", { timeout: compileTimeout }, () => {
  it("passes its own tests", async () => {
    const end = await ended(go ?? "", ["test", "-vet=off", "./..."])

    assert.strictEqual(end?.code, 0, end?.said)
  })

  it.each([
    ["go vet", [go ?? "", "vet", "./..."]],
    ["gofmt", ["gofmt", "-l", "."]],
    ["staticcheck", ["staticcheck", "-tests=false", "./..."]]
  ])("is clean by %s", async (name, [command = "", ...args]) => {
    const end = await ended(command, args)

    if (end === undefined) return void process.stdout.write(`${name} is not installed, and left out here\n`)
    assert.deepStrictEqual(end, { code: 0, said: "" })
  })
})
