/** The pages of the examples, followed to the letter from the root of a clone. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import { assert, describe, it } from "vitest"
import { root } from "../scripts/pack/PublicPackages.ts"
import { freePort } from "./packages/FreePort.ts"
import { onMachine, run, start } from "./packages/Programs.ts"

/** Databases, services and browsers are started, on a machine that others use too. */
const timeoutMs = 180_000

/** What is made by running, and what a clone does not have. */
const made = new Set([".cache", ".env", ".git", "data", "examples", "secret.key"])

const linkAll = async (from: string, into: string): Promise<void> => {
  await mkdir(into, { recursive: true })
  for (const entry of await readdir(from)) {
    if (!made.has(entry)) await symlink(join(from, entry), join(into, entry))
  }
}

/**
 * Looks like a clone in which everything is installed; what is written stays in it. The folder of its database has an
 * empty one: what the first start makes is tested elsewhere.
 */
const makeClone = async (folderOfDatabase: string) => {
  const clone = await mkdtemp(join(tmpdir(), "runhook-clone-"))
  await linkAll(root, clone)
  for (const example of await readdir(join(root, "examples"))) {
    await linkAll(join(root, "examples", example), join(clone, "examples", example))
  }
  await copyCluster(join(clone, folderOfDatabase, "data/postgres"))
  return {
    clone,
    // PostgreSQL ends a moment after a service that is killed.
    [Symbol.asyncDispose]: () => rm(clone, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The shells of a page, with ports that are free here. */
const shellsOf = async (example: string) => {
  const page = await readFile(join(root, "examples", example, "README.md"), "utf8")
  const [first, second, third] = [await freePort(), await freePort(), await freePort()]
  return {
    environment: { ...onMachine, RUNHOOK_PORT: first, API_PORT: first, DISPATCHER_PORT: second, PORT: third },
    shells: Array.from(page.matchAll(/^( *)```sh\n([^]*?)^ *```/gm), ([, indent = "", text = ""]) =>
      text
        .replaceAll(new RegExp(`^${indent}`, "gm"), "")
        .replaceAll(":8700", `:${first}`)
        .replaceAll(":8701", `:${second}`)
        .replaceAll(":3000", `:${third}`)
    )
  }
}

/** A shell whose last program is asked to stop as by Ctrl-C. */
const running = (clone: string, shell: string, environment: Readonly<Record<string, string>>) =>
  start(clone, shell.replace(/^(?=.*\n$(?![^]))/m, "exec env "), environment)

const database = /postgresql:\S+/

describe("the page of an example", { timeout: timeoutMs, concurrent: true }, () => {
  it("leads to an agent that drives a browser", async () => {
    const { environment, shells } = await shellsOf("agent")
    const [serving = "", ...others] = shells
    await using copy = await makeClone(".")
    const { clone } = copy

    await using service = start(clone, serving, environment)
    await service.says(/Start here/)
    await using agent = start(clone, `set -e\n${others.join("\n")}`, environment)
    const captured = await agent.says(/"screenshots":\[\{[^\n]*\}/)

    assert.lengthOf(shells, 4)
    assert.match(captured, /"file_name":"[^"]+\.png"/)
  })

  it("leads to a shop beside the service", async () => {
    const { environment, shells } = await shellsOf("integrator")
    const [serving = "", shop = "", asking = ""] = shells
    await using copy = await makeClone(".")
    const { clone } = copy

    await using service = start(clone, serving, environment)
    await service.says(/Start here/)
    const url = `http://127.0.0.1:${environment.RUNHOOK_PORT}`
    await using listening = start(clone, shop, { ...environment, RUNHOOK_URL: url })
    await listening.says(/127\.0\.0\.1/)
    const answers = await run(clone, asking, environment)

    assert.lengthOf(shells, 3)
    assert.match(answers, /"status":"completed"/)
    assert.match(answers, /"file_name":"/)
  })

  it("leads to a host with the engine inside", async () => {
    const { environment, shells } = await shellsOf("embedder")
    const [postgres = "", host = "", asking = ""] = shells
    await using copy = await makeClone("examples/embedder")
    const { clone } = copy

    await using storing = running(clone, postgres, environment)
    const DATABASE_URL = await storing.says(database)
    await using hosting = running(clone, host, { ...environment, DATABASE_URL })
    await hosting.says(/Listening/)
    const answers = await run(clone, asking, environment)

    assert.lengthOf(shells, 3)
    assert.match(answers, /"status":"queued"/)
    assert.deepStrictEqual([await hosting.stop(), await storing.stop()], [0, 0])
  })

  it("leads to two processes on a PostgreSQL of one's own", async () => {
    const { environment, shells } = await shellsOf("operator")
    const [postgres = "", processes = "", asking = ""] = shells
    await using copy = await makeClone("examples/operator")
    const { clone } = copy

    await using storing = running(clone, postgres, environment)
    const DATABASE_URL = await storing.says(database)
    await using both = running(clone, processes, { ...environment, DATABASE_URL })
    await both.says(/api \|.*"message":"Listening"/)
    const answers = await run(clone, asking, environment)

    assert.strictEqual(answers.match(/"ready"/g)?.length, 2, answers)
    assert.deepStrictEqual([await both.stop(), await storing.stop()], [0, 0])
  })
})
