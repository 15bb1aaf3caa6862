/** `scripts/install.mjs` as a person runs it, not npm, on a machine with an old Node. */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "runhook install "))
  mkdirSync(join(directory, "bin"))
  program("bin/node", "echo v20.20.2")
  copyFileSync("scripts/install.mjs", join(directory, "install.mjs"))
  writeFileSync(join(directory, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\n")
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const program = (file: string, script: string) => {
  writeFileSync(join(directory, file), `#!/bin/sh\n${script}\n`)
  chmodSync(join(directory, file), 0o755)
}

/** `installs` is what the package manager leaves behind. */
const install = (installs: string) => {
  program("bin/npx", `mkdir -p node_modules/.bin; ${installs}`)
  const { status, stderr, stdout } = spawnSync(process.execPath, ["install.mjs", "server"], {
    cwd: directory,
    env: { PATH: `${join(directory, "bin")}:/usr/bin:/bin` },
    encoding: "utf8"
  })
  const isStamped = existsSync(join(directory, "node_modules/.runhook-installed"))
  return { status, stderr, stdout, isStamped }
}

describe("install.mjs", () => {
  it("succeeds once the packaged Node is new enough, whatever the machine has", () => {
    const packaged = `printf '#!/bin/sh\\necho v24.21.0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`

    const { isStamped, status, stderr } = install(packaged)

    assert.deepStrictEqual({ isStamped, status, stderr }, { status: 0, stderr: "", isStamped: true })
  })

  it("says one line of its own, and has the package manager say only what goes wrong", () => {
    const { stdout } = install(`case "$*" in *--loglevel=error*) ;; *) echo "+ many packages" ;; esac`)

    assert.strictEqual(
      stdout,
      "Installing what this needs, once. It takes a minute at most on most networks.\n"
    )
  })

  it("says what to do where none is packaged and the machine's is too old", () => {
    const { isStamped, status, stderr } = install("")

    assert.strictEqual(status, 1)
    assert.match(stderr, /^Runhook needs Node 24 or later\. This is Node 20\.20\.2[^\n]+\n$/)
    assert.isFalse(isStamped)
  })

  it("builds the Integrations page by the packaged Node, also when everything was installed before", () => {
    mkdirSync(join(directory, "packages/console"), { recursive: true })
    writeFileSync(join(directory, "packages/console/build.mjs"), "")
    const packaged = `printf '#!/bin/sh\\n[ "$1" = --version ] && echo v24.21.0 || echo "$@" >> built\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`

    install(packaged)
    install("echo installed again")

    assert.strictEqual(
      readFileSync(join(directory, "built"), "utf8"),
      "packages/console/build.mjs\npackages/console/build.mjs\n"
    )
  })

  it("stops when the page cannot be built", () => {
    mkdirSync(join(directory, "packages/console"), { recursive: true })
    writeFileSync(join(directory, "packages/console/build.mjs"), "")
    const packaged = `printf '#!/bin/sh\\n[ "$1" = --version ] && echo v24.21.0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`

    const { status, stderr } = install(packaged)

    assert.strictEqual(status, 1)
    assert.include(stderr, "Could not build the Integrations page: node packages/console/build.mjs failed.")
  })
})
