/** Where the program lies that `build.mjs` made of the sources, whether they are still what it was made of, and how it is loaded. */
import { createHash } from "node:crypto"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { Script } from "node:vm"
import { crc32 } from "node:zlib"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folder, the program in it, and the list of what it was made of. */
export const dist = fileURLToPath(new URL("dist/", import.meta.url))
export const program = "runhook.cjs"
export const list = "sources.json"

/** Changes with the packages that are installed, and with how the program is made. */
const always = ["pnpm-lock.yaml", "apps/server/build.mjs", "apps/server/built.mjs", "apps/server/bundle.mjs"]

/** What says that a program is made of these files, in this folder: it knows where its sources lie. */
export const listOf = (files) => {
  const names = [...always, ...files.map((file) => relative(root, file))].toSorted()
  return { root, files: names, hash: hashOf(names) }
}

const hashOf = (names) => {
  const hash = createHash("sha256")
  for (const name of names) hash.update(`${name}\0`).update(readFileSync(join(root, name)))
  return hash.digest("hex")
}

/** False also where nothing was made yet, or where a source is gone. */
export const isCurrent = () => {
  try {
    const made = JSON.parse(readFileSync(join(dist, list), "utf8"))
    return made.root === root && made.hash === hashOf(made.files)
  } catch {
    return false
  }
}

/**
 * Loads the program with what was compiled of it, or keeps that when the process ends. Node's own cache holds none of
 * the functions that a start calls, since it is made before they are called: with them a start takes a quarter less.
 */
export const load = () => {
  const file = join(dist, program)
  const bytes = readFileSync(file)
  const code = bytes.latin1Slice().replace(/^#!.*/, "")
  // V8 knows a program by its length alone, and a process may end after another was made.
  const compiled = join(dist, `compiled-${crc32(bytes)}`)
  const script = new Script(`(function (require, exports, __filename) {${code}\n})`, {
    filename: file,
    cachedData: readIfThere(compiled)
  })
  const isCompiled = script.cachedDataRejected === false
  if (!isCompiled) process.on("exit", () => keep(compiled, script))
  const exports = {}
  script.runInThisContext()(createRequire(file), exports, file)
  return { main: exports.main, isCompiled }
}

const readIfThere = (file) => {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** Nothing is lost where it cannot be written: the next start compiles as this one did. */
const keep = (compiled, script) => {
  const aside = `${compiled}.${process.pid}`
  try {
    writeFileSync(aside, script.createCachedData())
    renameSync(aside, compiled)
  } catch {}
}
