/** Where the program lies that `build.mjs` made of the sources, and whether they are still what it was made of. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folder, the program in it, and the list of what it was made of. */
export const dist = fileURLToPath(new URL("dist/", import.meta.url))
export const program = "runhook.mjs"
export const list = "sources.json"

/** Where Node keeps what it compiled of the program: each start is a third quicker. */
export const compiled = join(dist, "compiled")

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
