/** The SDK for Go as others have it: required by a module of their own, and used as its pages say. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { openRunner } from "@runhook/test-support/world/Runner"
import { type Service, startService } from "@runhook/test-support/world/Service"
import { makeTenant } from "@runhook/test-support/world/Tenant"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import sdk from "../../package.json" with { type: "json" }
import { compileTimeout, go, goEnvironment, goHome } from "./Go.ts"

const pages = ["packages/sdk-go/README.md", "docs/integrating/README.md", "docs/webhooks.md"]

/** What the pages show in Go. */
const shown = pages.flatMap((page) => {
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), "utf8")
  return [...text.matchAll(/^```go\n([^]*?)^```/gm)].map(([, code = ""]) => code)
})

/** A part of a program, within one that names what it uses. */
const within = (part: string): string => `package part

import (
	"context"
	"errors"
	"fmt"
	"time"

	"runhook"
)

var _, _, _ = errors.New, fmt.Println, time.Second

func part(ctx context.Context, client *runhook.Client) error {
${part}
	return nil
}
`

let directory: string
let service: Service
beforeAll(async () => {
  if (go === undefined) return
  service = await startService()
  directory = mkdtempSync(join(tmpdir(), "runhook-go-"))
  await run("mod", "init", "example.com/shop")
  await run("mod", "edit", `-require=runhook@v${sdk.version}`, `-replace=runhook=${goHome}`)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  if (directory !== undefined) await rm(directory, { recursive: true, force: true })
})

const run = (...args: ReadonlyArray<string>) =>
  promisify(execFile)(go ?? "", args, { cwd: directory, env: goEnvironment })

/** A program in a folder of its own, compiled. */
const built = async (name: string, code: string): Promise<string> => {
  await mkdir(join(directory, name))
  await writeFile(join(directory, name, "main.go"), code)
  await run("build", "-o", join(directory, `${name}.out`), `./${name}`)
  return join(directory, `${name}.out`)
}

describe.runIf(go !== undefined)("the pages of the SDK for Go", { timeout: compileTimeout }, () => {
  const [first = "", files = ""] = shown

  it("has the version of the other packages", () => {
    assert.include(readFileSync(join(goHome, "version.go"), "utf8"), `const Version = "${sdk.version}"`)
    assert.include(readFileSync(join(goHome, "README.md"), "utf8"), `runhook@v${sdk.version}`)
  })

  it("show what compiles", async () => {
    const parts = shown.filter((code) => !code.startsWith("package "))
    for (const [at, part] of parts.entries()) {
      await mkdir(join(directory, `part${at}`))
      await writeFile(join(directory, `part${at}`, "part.go"), within(part.replaceAll(/^/gm, "\t")))
    }
    await Promise.all(
      shown
        .filter((code) => code.startsWith("package "))
        .map(async (code, at) => {
          await mkdir(join(directory, `whole${at}`))
          await writeFile(join(directory, `whole${at}`, "main.go"), code)
        })
    )

    const { stderr } = await run("build", "-gcflags=-e", "./...")

    assert.strictEqual(stderr, "")
  })

  it("queue, wait and read files as they say", async () => {
    const tenant = await makeTenant(service.make)
    const runner = await openRunner(service, tenant)
    const env = { ...process.env, RUNHOOK_BASE_URL: service.url, RUNHOOK_API_KEY: tenant.apiKey }
    const print = promisify(execFile)

    const waiting = print(await built("first", first), [], { env })
    const claim = await runner.start()
    await runner.capture(claim, "a report")
    await runner.complete(claim, { pages: 3 })
    const { stdout } = await waiting
    const read = await print(await built("files", files), [claim.execution_id], { env })

    assert.strictEqual(stdout, 'completed {"pages":3}\n')
    assert.strictEqual(read.stdout, "a report")
  })
})
