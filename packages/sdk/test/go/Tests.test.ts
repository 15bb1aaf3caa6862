/** The tests that are written in Go, and what its tools say, where they are installed. */
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { go, goEnvironment, goHome } from "./Go.ts"

/** What a program says and how it ends; undefined if it is not installed. */
const ended = (command: string, args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, {
    cwd: goHome,
    env: goEnvironment,
    encoding: "utf8"
  })
  return error === undefined ? { status, said: stdout + stderr } : undefined
}

describe.runIf(go !== undefined)("the SDK for Go", () => {
  it("passes its own tests", () => {
    const end = ended(go ?? "", ["test", "-vet=off", "./..."])

    assert.strictEqual(end?.status, 0, end?.said)
  })

  it.each([
    ["go vet", [go ?? "", "vet", "./..."]],
    ["gofmt", ["gofmt", "-l", "."]],
    ["staticcheck", ["staticcheck", "-tests=false", "./..."]]
  ])("is clean by %s", (name, [command = "", ...args]) => {
    const end = ended(command, args)

    if (end === undefined) return void process.stdout.write(`${name} is not installed, and left out here\n`)
    assert.deepStrictEqual(end, { status: 0, said: "" })
  })
})
