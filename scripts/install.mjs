/**
 * Installs what a root script needs, and nothing when nothing changed. Runs on
 * whatever Node the machine has, before the workspace has its own.
 *
 *     node scripts/install.mjs server       what `npm start` needs
 *     node scripts/install.mjs everything   what `npm test` needs
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"

const pnpm = "pnpm@12.21.0"
const nodeMajorMin = 24

/** `--filter-prod` does not follow development dependencies, which would bring the test tools along. */
const selections = {
  server: ["--prod", "--filter", "runhook", "--filter-prod", "@runhook/server..."],
  everything: []
}

/** Says what was last installed, and from which lock file. Written only after a complete installation. */
const stampFile = "node_modules/.runhook-installed"

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "")

/** `shell` only finds `npx.cmd` on Windows; no argument comes from outside. */
const run = (command, args, options) =>
  spawnSync(command, args, { shell: process.platform === "win32", ...options })

const stop = (message) => {
  console.error(message)
  process.exit(1)
}

const install = (selection) => {
  const args = ["--yes", pnpm, "install", "--frozen-lockfile", "--loglevel=error", ...selections[selection]]
  // The first output should be about the service, not about packages; errors are still printed.
  console.log("Installing what this needs, once. It takes a minute at most on most networks.")
  const { status } = run("npx", args, { stdio: "inherit" })
  if (status !== 0) stop(`Could not install the dependencies: npx ${args.join(" ")} failed.`)
}

/** The packaged Node, which npm and `runhook` prefer, or else the machine's. */
const nodeOfScripts = () => (existsSync("node_modules/.bin/node") ? "node_modules/.bin/node" : "node")

const requireNode = () => {
  const version = run(nodeOfScripts(), ["--version"], { encoding: "utf8" }).stdout.trim()
  if (Number.parseInt(version.slice(1), 10) < nodeMajorMin) {
    stop(
      `Runhook needs Node ${nodeMajorMin} or later. This is Node ${version.slice(1)}, and npm has no packaged ` +
        `Node for ${process.platform}-${process.arch}: install Node ${nodeMajorMin} and try again.`
    )
  }
}

/** What is built here, of sources that lie here: nothing is done when it is built already. */
const builds = {
  "the Integrations page": "packages/console/build.mjs",
  "the service": "apps/server/build.mjs"
}

const build = (name, file) => {
  const { status } = run(nodeOfScripts(), [file], { stdio: "inherit" })
  if (status !== 0) stop(`Could not build ${name}: node ${file} failed.`)
}

const wanted = process.argv[2]
if (!Object.hasOwn(selections, wanted))
  stop(`Usage: node scripts/install.mjs ${Object.keys(selections).join("|")}`)

// What is there stays: a start after a test must not remove the developer's tools.
const selection = existsSync("node_modules/vitest") ? "everything" : wanted
const lock = createHash("sha256").update(readFileSync("pnpm-lock.yaml")).digest("hex")
const stamp = `${selection} ${lock}\n`

if (readIfThere(stampFile) !== stamp) {
  install(selection)
  requireNode()
  writeFileSync(stampFile, stamp)
}

for (const [name, file] of Object.entries(builds)) if (existsSync(file)) build(name, file)
