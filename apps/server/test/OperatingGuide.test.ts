/** The shells of docs/operating do what their pages say, one after the other, on one service. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { listen } from "@runhook/test-support/receivers/Listening"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const folder = fileURLToPath(new URL("../../../docs/operating", import.meta.url))
const launcher = fileURLToPath(new URL("../bin/runhook", import.meta.url))

const freePort = async () => {
  await using listening = await listen(createServer())
  return listening.port
}

const shellsOf = (page: string): ReadonlyArray<string> =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, block = ""]) => block
  )

/** How many shells each page has that are run here. */
const runHere = {
  "README.md": 3,
  "alerts.md": 1,
  "audit.md": 1,
  "page.md": 2,
  "troubleshoot.md": 1,
  "watch.md": 1
}

/** Who runs the others, or why they cannot be run here, page by page and in the order of the page. */
const others: Readonly<Record<string, ReadonlyArray<string>>> = {
  "backup.md": Array.from({ length: 3 }, () => "backup/Backup.test.ts"),
  "citus.md": ["needs three servers: the tests of Citus name their nodes by the same functions"],
  "commands.md": Array.from({ length: 9 }, () => "CommandsPage.test.ts"),
  "database-tls.md": [
    "needs openssl",
    "needs a database with certificates: store-pg/test/connections/Tls.test.ts"
  ],
  "one-server.md": Array.from({ length: 8 }, () => "needs a server of its own, with systemd and root"),
  "install.md": [
    "needs systemd and root",
    "needs Docker: image.test.ts carries out the steps of the Dockerfile",
    "needs Docker: image.test.ts starts what the image has",
    "needs Docker: deploy.test.ts makes the secrets",
    "needs a cluster: deploy.test.ts holds the chart to the service"
  ]
}

let directory: string
let port: number
let making: string
let starting: string
let curls: string
let commands: string
let following: string
let links: string
let people: string
let finding: string
let telling: string
let asking: string
let server: ReturnType<typeof shell>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "runhook an operator's "))
  port = await freePort()
  const read = (page: string) => shellsOf(page).map((shell) => shell.replaceAll(":8700", `:${port}`))
  ;[starting = "", curls = "", commands = ""] = read("README.md")
  ;[following = ""] = read("watch.md")
  ;[links = "", people = ""] = read("page.md")
  ;[finding = ""] = read("audit.md")
  ;[telling = ""] = read("alerts.md")
  ;[asking = ""] = read("troubleshoot.md")
  ;[making = ""] = starting.split("\n\n")
  // The folder is not the repository.
  await mkdir(join(directory, "apps/server/bin"), { recursive: true })
  await symlink(launcher, join(directory, "apps/server/bin/runhook"))
  await writeFile(join(directory, "npx"), `#!/bin/sh\nshift; exec '${launcher}' "$@"\n`)
  await chmod(join(directory, "npx"), 0o755)
  server = shell(starting)
  // Its first line says where it listens.
  await once(server.stderr, "data")
})
afterAll(async () => {
  const closed = once(server, "close")
  server.kill("SIGTERM")
  await closed
  await rm(directory, { recursive: true, force: true })
})

const shell = (script: string) =>
  spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: directory,
    env: {
      PATH: `${directory}:${process.env["PATH"]}`,
      RUNHOOK_PORT: String(port),
      // It is the commands that are tried, not where things are kept.
      RUNHOOK_STORE: "memory"
    },
    stdio: ["ignore", "pipe", "pipe"]
  })

const run = async (script: string) => {
  const child = shell(script)
  const output = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text))
  await once(child, "close")
  return { code: child.exitCode, ...output }
}

const fileOf = (name: string) => readFile(join(directory, name), "utf8")

describe("docs/operating", () => {
  it("has no shell that is neither run nor known to need what is not here", () => {
    const found = globSync("*.md", { cwd: folder }).map((page) => [basename(page), shellsOf(page).length])

    const known = Object.entries({
      ...runHere,
      ...Object.fromEntries(Object.entries(others).map(([page, reasons]) => [page, reasons.length]))
    })
    assert.sameDeepMembers(
      found.filter(([, count]) => count !== 0),
      known
    )
  })

  it("keeps both keys in files for their owner alone, and makes them once", async () => {
    const before = [await fileOf("secret.key"), await fileOf("admin.key")]

    const { code, stderr } = await run(making)

    assert.strictEqual(code, 0, stderr)
    assert.deepStrictEqual([await fileOf("secret.key"), await fileOf("admin.key")], before)
    assert.strictEqual((await stat(join(directory, "secret.key"))).mode & 0o777, 0o600)
    assert.strictEqual((await stat(join(directory, "admin.key"))).mode & 0o777, 0o600)
  })

  it("leads to an account, an agent, a task and its keys", async () => {
    const { code, stderr, stdout } = await run(curls)

    assert.strictEqual(code, 0, stderr)
    assert.lengthOf(stdout.match(/"key": ?"/g) ?? [], 2)
  })

  it("shows commands that do the same", async () => {
    const { code, stderr, stdout } = await run(`${curls}\necho\necho COMMANDS\n${commands}`)

    assert.strictEqual(code, 0, stderr)
    const [, printed = ""] = stdout.split("COMMANDS")
    assert.lengthOf(printed.match(/"key": ?"/g) ?? [], 2)
  })

  it("follows what happens in the account", async () => {
    // It goes on until the service stops, and is not awaited once its output is closed.
    const { code, stderr, stdout } = await run(
      `${curls}\ngrep -m1 '^event: hello' < <(exec 2> /dev/null; ${following.trim()})`
    )

    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "event: hello")
  })

  it("makes links to the Integrations page, shows who is in by which, and puts them out", async () => {
    const signingIn = `
      made=$(${links.trim()})
      echo "$made"
      token=$(grep -o 'sign-in#[^"]*' <<< "$made" | head -n 1 | cut -d '#' -f 2)
      signed_in=$(curl -sS http://127.0.0.1:${port}/api/v1/admin/session -d "{\\"token\\":\\"$token\\"}" -H 'content-type: application/json')
      id() { grep -oE "[\\"]$1[\\"]: ?[\\"][0-9a-f-]{36}" | head -n 1 | cut -d '"' -f 4; }
      PERSON=$(id person <<< "$signed_in")
      SESSION=$(npx runhook console-sessions list --account $ACCOUNT | id id)
      LINK=$(npx runhook console-links list --account $ACCOUNT | id id)`

    const { code, stderr, stdout } = await run(`${curls}\n${signingIn}\necho\necho PEOPLE\n${people}`)

    assert.strictEqual(code, 0, stderr)
    const [made = "", printed = ""] = stdout.split("PEOPLE")
    assert.lengthOf(made.match(/"url": "\S+\/integrations\/sign-in#/g) ?? [], 2)
    assert.match(printed, /"last_seen_at"[^]*"state": "open"[^]*"state": "used"/)
  })

  it("adds a target of alerts, and shows it", async () => {
    const { code, stderr, stdout } = await run(`${curls}\necho TARGETS\n${telling}`)

    assert.strictEqual(code, 0, stderr)
    const [, printed = ""] = stdout.split("TARGETS")
    assert.match(printed, /"signing_secret": ?"whsec_[^]*"address": ?"https:\/\/hooks.example.com\/masked"/)
  })

  it("finds out whether everything is in order", async () => {
    const { code, stderr, stdout } = await run(
      `${curls}\nexport RUNHOOK_SECRET_KEY_FILE=secret.key\n${asking}`
    )

    assert.strictEqual(code, 0, stdout + stderr)
    assert.match(stdout, /ok +server +ready[^]*"ready"[^]*"data": \[\]/)
  })

  it("saves the audit log for a spreadsheet", async () => {
    const { code, stderr } = await run(`${curls}\n${finding}`)

    assert.strictEqual(code, 0, stderr)
    assert.match(await fileOf("audit.csv"), /key\.created/)
  })
})
