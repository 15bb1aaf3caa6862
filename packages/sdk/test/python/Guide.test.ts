/** The SDK for Python as others have it: built, installed where nothing else is, and used as its pages say. */
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { startReceiver } from "@runhook/test-support/receivers/Receiver"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Service, startService } from "@runhook/test-support/world/Service"
import sdk from "../../package.json" with { type: "json" }
import { makeSdkTenant, until } from "../runner/SdkTenant.ts"
import { startPress } from "./Press.ts"
import { python, pythonHome } from "./Python.ts"

/** Longer than any machine takes. */
const timeout = 120_000

const repository = new URL("../../../../", import.meta.url)

/** The programs of a page, in their order. */
const programsOf = (page: string): ReadonlyArray<string> =>
  [...readFileSync(new URL(page, repository), "utf8").matchAll(/^```python\n([^]*?)^```/gm)].map(
    ([, program = ""]) => program
  )

let service: Service
let directory: string
/** Of the environment that has nothing but the wheel. */
let installed: string
/** The command of a pip that installs into it. */
let pip: readonly [string, ...ReadonlyArray<string>]
beforeAll(async () => {
  if (python === undefined) return
  service = await startService()
  directory = await mkdtemp(join(tmpdir(), "runhook-python-"))
  const run = (command: string, ...args: ReadonlyArray<string>) =>
    execFileSync(command, args, {
      cwd: directory,
      stdio: "pipe",
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
    })
  for (const folder of ["one", "other"]) {
    await mkdir(join(directory, folder))
    run(python, join(pythonHome, "backend.py"), folder)
  }
  installed = join(directory, "venv/bin/python")
  // Another pip takes twice as long to make as all that is done with it.
  const hasPip = spawnSync(python, ["-m", "pip", "--python", python, "--version"]).status === 0
  run(python, "-m", "venv", ...(hasPip ? ["--without-pip"] : []), "venv")
  pip = hasPip ? [python, "-m", "pip", "--python", installed] : [installed, "-m", "pip"]
  install(join(directory, "one", await built(".whl")))
}, timeout)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  if (directory !== undefined) await rm(directory, { recursive: true, force: true, maxRetries: 10 })
})

const install = (...args: ReadonlyArray<string>) => {
  const [command, ...words] = pip
  execFileSync(command, [...words, "install", "--quiet", "--no-index", ...args], { stdio: "pipe" })
}

/** What was built with this extension. */
const built = async (extension: string): Promise<string> =>
  (await readdir(join(directory, "one"))).find((name) => name.endsWith(extension)) ?? ""

const environment = (more: Readonly<Record<string, string>>) => ({
  PATH: process.env["PATH"],
  RUNHOOK_BASE_URL: service.url,
  ...more
})

/** What a program prints. */
const printed = async (program: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const path = join(directory, "program.py")
  await writeFile(path, program)
  const { stdout } = await promisify(execFile)(installed, ["-W", "error", path], {
    cwd: directory,
    env: environment(more)
  })
  return stdout
}

/** A program that goes on. */
const started = async (program: string, more: Readonly<Record<string, string>>) => {
  const path = join(directory, "runner.py")
  await writeFile(path, program)
  const child = spawn(installed, [path], {
    cwd: directory,
    env: environment(more),
    stdio: ["ignore", "ignore", "pipe"]
  })
  const said = text(child.stderr)
  return {
    exited: once(child, "exit"),
    said,
    stop: () => void child.kill("SIGTERM"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL")
      await said
    }
  }
}

describe.runIf(python !== undefined)("the package for Python", { timeout }, () => {
  it("has the version of the others, and is the same each time it is built", async () => {
    const version = await printed("from importlib.metadata import version; print(version('runhook'))")

    const files = (folder: string) =>
      readdir(join(directory, folder)).then((names) =>
        Promise.all(
          names.toSorted().map(async (name) => [name, await readFile(join(directory, folder, name))])
        )
      )
    assert.strictEqual(version.trim(), sdk.version)
    assert.lengthOf(await files("one"), 2)
    assert.deepStrictEqual(await files("one"), await files("other"))
  })

  it("is installed from its source distribution too", async () => {
    const archive = await built(".tar.gz")
    const into = join(directory, "from-source")

    install("--target", into, join(directory, "one", archive))

    assert.isTrue(existsSync(join(into, "runhook/py.typed")))
    assert.isTrue(existsSync(join(into, "runhook/runner/runner.py")))
  })
})

describe.runIf(python !== undefined)("the page of the package for Python", { timeout }, () => {
  const [client = "", saving = "", receiver = "", runner = "", asyncio = "", errors = ""] = programsOf(
    "packages/sdk-python/README.md"
  )

  it("queues, waits, saves and lists as it says", async () => {
    const tenant = await makeSdkTenant({ service })
    await using _ = startPress(tenant)
    const key = { RUNHOOK_API_KEY: tenant.apiKey }
    await tenant.taskId("files")

    assert.match(await printed(client, key), /^completed \{'pages': 1, 'size': \d+\}\n$/)

    const [done] = await tenant.client.executions.list().toArray({ limit: 1 })
    const [file] = (await tenant.client.executions.get(done?.id ?? "")).downloads
    await printed(`${saving}\nsave_all(Runhook(), "${done?.id}")`, key)
    assert.strictEqual(
      await readFile(join(directory, file?.id ?? ""), "utf8"),
      readFileSync(new URL("packages/sdk-python/test/press.py", repository), "utf8")
    )

    const running = await tenant.queue("waits")
    await until(async () => (await tenant.client.executions.get(running)).status === "running")
    assert.include(await printed(asyncio, key), running)
    assert.match(await printed(`${errors}\nqueue(Runhook())`, key), /^body\.agent_id: [^]* 4\d\d \S+ 1\n$/)
  })

  it("serves a task as it says", async () => {
    const tenant = await makeSdkTenant({ service })
    await using program = await started(runner, { RUNHOOK_RUNNER_KEY: tenant.runnerKey })

    const id = await tenant.queue("visit-page", { url: `${service.url}/api/v1/runner/openapi.json` })

    assert.deepStrictEqual((await tenant.outcome(id)).result, { status: 200 })
    const { downloads } = await tenant.client.executions.artifacts(id)
    assert.deepStrictEqual(
      downloads.map(({ file_name }) => file_name),
      ["page.html"]
    )
    program.stop()
    assert.deepStrictEqual(await program.exited, [0, null])
  })

  const [, wsgi = "", asgi = ""] = programsOf("docs/webhooks.md")

  it.each([
    ["README", receiver.replace(/^if __name__[^]*/m, ""), "receiver"],
    ["docs/webhooks over WSGI", wsgi, "app"]
  ])("receives callbacks as it says: %s", async (_, program, name) => {
    const said = await printed(
      `${program}
import threading, urllib.request
from wsgiref.simple_server import WSGIRequestHandler, make_server
${completed}
WSGIRequestHandler.log_message = lambda *_: None
server = make_server("127.0.0.1", 0, ${name})
threading.Thread(target=server.serve_forever, daemon=True).start()
request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}", body, headers)
print(urllib.request.urlopen(request).status)`,
      { RUNHOOK_SIGNING_SECRET: "whsec_1" }
    )

    assert.strictEqual(said, "order-42 {'pages': 3}\n200\n")
  })

  it("receives callbacks as it says: docs/webhooks over ASGI", async () => {
    const said = await printed(
      `${asgi}
import asyncio
${completed}
async def receive():
    return {"type": "http.request", "body": body}
async def send(message):
    if "status" in message:
        print(message["status"])
pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
asyncio.run(app({"type": "http", "method": "POST", "headers": pairs}, receive, send))`,
      { RUNHOOK_SIGNING_SECRET: "whsec_1" }
    )

    assert.strictEqual(said, "order-42 {'pages': 3}\n200\n")
  })
})

/** A callback of an execution that is completed, signed. */
const completed = `from runhook.webhooks import sign_test
body, headers = sign_test({
    "event_id": "1", "type": "execution.completed", "reference": "order-42", "metadata": {},
    "execution": {"id": "e-1", "status": "completed", "result": {"pages": 3}},
}, secret="whsec_1")`

describe.runIf(python !== undefined)("the guides, in Python", { timeout }, () => {
  const [counting = "", order = "", statement = ""] = programsOf("docs/agents/README.md")

  it("serve the task of the guide, and leave when they are told to", async () => {
    const tenant = await makeSdkTenant({ service })
    await using program = await started(counting, { RUNHOOK_RUNNER_KEY: tenant.runnerKey })

    const id = await tenant.queue("count-words", { text: "to be or not" })

    assert.deepStrictEqual((await tenant.outcome(id)).result, { words: 4 })
    const { downloads } = await tenant.client.executions.artifacts(id)
    assert.deepStrictEqual(
      downloads.map(({ file_name }) => file_name),
      ["words.txt"]
    )
    program.stop()
    assert.deepStrictEqual(await program.exited, [0, null])
    assert.strictEqual(await program.said, "")
  })

  it("fail well", async () => {
    await using shop = await startReceiver((response, { path }) =>
      response.writeHead(Number(path.slice(-3))).end(JSON.stringify({ url: path }))
    )
    const tenant = await makeSdkTenant({ service, attemptsMax: 2 })
    const key = { RUNHOOK_RUNNER_KEY: tenant.runnerKey }
    await using _ = await started(`${order.replace("9000", String(shop.port))}\nrunner.run()`, key)

    const [found, gone] = await Promise.all(
      ["200", "404"].map(async (id) => tenant.outcome(await tenant.queue("order", { id })))
    )
    const later = await tenant.queue("order", { id: "500" })
    const events = async () =>
      (await tenant.client.executions.events(later, { wait: 1 })).data.map(({ type }) => type)
    while (!(await events()).includes("requeued"));

    assert.deepStrictEqual(found?.result, { order: { url: "/orders/200" } })
    assert.deepStrictEqual([gone?.status, gone?.status_reason], ["cancelled", "there is no such order"])
  })

  it("ask, and deliver files", async () => {
    const tenant = await makeSdkTenant({ service })
    const program = `${statement.replaceAll('"/tmp/', `"${directory}/`)}\nrunner.run()`
    await writeFile(join(directory, "statement.pdf"), "%PDF-")
    await writeFile(join(directory, "bookings.csv"), "a,b")
    await using _ = await started(program, { RUNHOOK_RUNNER_KEY: tenant.runnerKey })
    const id = await tenant.queue("statement")

    await tenant.answer(id, "1234")
    const { downloads, prints } = await tenant.outcome(id)

    assert.deepStrictEqual(
      [...downloads, ...prints].map(({ content_type, file_name }) => [file_name, content_type]),
      [
        ["bookings.csv", "text/csv"],
        ["statement.pdf", "application/pdf"]
      ]
    )
  })

  it("queue an execution and follow it", async () => {
    const tenant = await makeSdkTenant({ service })
    await using _ = startPress(tenant)
    const [program = ""] = programsOf("docs/integrating/README.md")
    const own = program
      .replace('agent_id="…"', `agent_id="${tenant.agentId}"`)
      .replace('task_id="…"', `task_id="${await tenant.taskId("print")}"`)
      .replace("https://hooks.example.com/runhook", `${service.url}/hook`)

    assert.match(await printed(own, { RUNHOOK_API_KEY: tenant.apiKey }), /^[\da-f-]{36} completed\n$/)
  })
})
