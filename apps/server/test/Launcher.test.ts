/** `bin/runhook` as a shell starts it: on a machine with an old Node, from anywhere, with anything. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it, onTestFailed } from "vitest"

const launcher = fileURLToPath(new URL("../bin/runhook", import.meta.url))

/** Stands in for the service: prints how it was called, and exits as it is told. */
const program = `
  let input = ""
  for await (const piece of process.stdin) input += piece
  console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), pid: process.pid, input }))
  process.exitCode = Number(process.env.EXIT ?? 0)`

const executable = async (path: string, text: string) => {
  await writeFile(path, text)
  await chmod(path, 0o755)
}

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "runhook it's a home "))
  await mkdir(join(home, "old"))
  await executable(join(home, "old/node"), "#!/bin/sh\necho v20.20.2\n")
  await mkdir(join(home, "new"))
  await symlink(process.execPath, join(home, "new/node"))
  await executable(join(home, "new/npx"), "#!/bin/sh\n")
})
afterAll(() => rm(home, { recursive: true, force: true }))

interface Tree {
  readonly hasPackagedNode?: boolean
  readonly isInstalled?: boolean
}

/** A copy of the repository, as far as the launcher knows it. */
const makeTree = async ({ hasPackagedNode = true, isInstalled = true }: Tree = {}) => {
  const root = await mkdtemp(join(home, "a tree "))
  await mkdir(join(root, "apps/server/bin"), { recursive: true })
  await mkdir(join(root, "node_modules/.bin"), { recursive: true })
  await mkdir(join(root, "scripts"))
  await copyFile(launcher, join(root, "apps/server/bin/runhook"))
  await writeFile(join(root, "apps/server/start.mjs"), program)
  await writeFile(join(root, "package.json"), `{"type": "module"}`)
  await writeFile(
    join(root, "scripts/install.mjs"),
    `import { mkdirSync } from "node:fs"
     mkdirSync("apps/server/node_modules/effect", { recursive: true })
     console.log("installed", process.argv[2])`
  )
  if (hasPackagedNode) await symlink(process.execPath, join(root, "node_modules/.bin/node"))
  if (isInstalled) await mkdir(join(root, "apps/server/node_modules/effect"), { recursive: true })
  return root
}

interface Call {
  readonly args?: ReadonlyArray<string>
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** What comes first among the programs of the machine. */
  readonly machine?: "new" | "old"
}

const run = async (
  command: string,
  { args = [], cwd = home, env, input = "", machine = "old" }: Call = {}
) => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: `${join(home, machine)}:/usr/bin:/bin`, ...env }
  })
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  child.stdin.end(input)
  await once(child, "close")
  return { code: child.exitCode, pid: child.pid, ...output }
}

describe("bin/runhook", () => {
  it("becomes the service, with its arguments, input and folder, under the packaged Node", async () => {
    const root = await makeTree()
    await symlink(join(root, "apps/server/bin/runhook"), join(root, "node_modules/.bin/runhook"))
    const args = ["keys", "create", "--name", "a b", "it's $HOME", "", "*"]

    const { code, pid, stdout } = await run(join(root, "node_modules/.bin/runhook"), { args, input: "{}\n" })

    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(stdout), { args, cwd: home, pid, input: "{}\n" })
  })

  it.each([0, 1, 2])("ends with the service's exit code %i", async (expected) => {
    const root = await makeTree()

    const { code } = await run(join(root, "apps/server/bin/runhook"), { env: { EXIT: String(expected) } })

    assert.strictEqual(code, expected)
  })

  it("takes the machine's Node where none is packaged", async () => {
    const root = await makeTree({ hasPackagedNode: false })

    const { code, stdout } = await run(join(root, "apps/server/bin/runhook"), { machine: "new" })

    assert.strictEqual(code, 0, stdout)
  })

  it("says in one line that the machine's Node is too old", async () => {
    const root = await makeTree({ hasPackagedNode: false })

    const { code, stderr } = await run(join(root, "apps/server/bin/runhook"))

    assert.strictEqual(code, 1)
    assert.match(stderr, /^runhook: needs Node 24 or later, and this is Node 20[^\n]+\n$/)
  })

  it("installs what is missing first, and keeps the output free for the service", async () => {
    const root = await makeTree({ isInstalled: false })

    const { code, stderr, stdout } = await run(join(root, "apps/server/bin/runhook"), { machine: "new" })

    assert.strictEqual(code, 0, stderr)
    assert.strictEqual(stderr, "installed server\n")
    assert.deepInclude(JSON.parse(stdout), { args: [] })
  })

  it("runs the service of this repository", async () => {
    const { code, stdout } = await run(launcher, { args: ["--version"] })

    assert.strictEqual(code, 0)
    assert.match(stdout, /^runhook v\d+\.\d+\.\d+/)
  })
})

describe("a server under npx", () => {
  it("stops when npx is killed, although the shell between them lives on", async () => {
    const npx = `
      const { spawn } = require("node:child_process")
      spawn("/bin/sh", ["-c", ${JSON.stringify(`'${launcher}' serve; exit`)}], { stdio: "inherit" })`
    const child = spawn(process.execPath, ["-e", npx], {
      cwd: await mkdtemp(join(home, "data ")),
      env: {
        PATH: "/usr/bin:/bin",
        npm_lifecycle_event: "npx",
        RUNHOOK_MODE: "development",
        RUNHOOK_STORE: "memory",
        RUNHOOK_PORT: "0"
      },
      stdio: ["ignore", "pipe", "ignore"],
      // A process group of its own, so that no process stays behind when the test fails.
      detached: true
    })
    const { pid } = child
    assert.isDefined(pid)
    onTestFailed(() => void process.kill(-pid, "SIGKILL"))
    // The server's output is this pipe too: it closes when its last process ends.
    const closed = once(child, "close")
    await once(child.stdout, "data")

    child.kill("SIGKILL")

    await closed
    assert.strictEqual(child.signalCode, "SIGKILL")
  })
})
