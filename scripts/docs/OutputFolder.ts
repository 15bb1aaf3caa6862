/** The folder that a site is written into. It holds nothing else, so that a new site replaces the one before. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { Files } from "./StaticSite.ts"

/** Lists the files that were written here, and so may be removed. */
const listName = ".runhook-docs"

/** Writes the files in the place of those that an earlier run wrote. Throws where there are others. */
export const writeSite = (folder: string, files: Files): void => {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Error(`${folder} is a file. Name a folder.`)
  mkdirSync(folder, { recursive: true })
  const list = join(folder, listName)
  const earlier = existsSync(list) ? readFileSync(list, "utf8").split("\n") : []
  const other = otherFile(folder, new Set([listName, ...earlier].map((file) => join(folder, file))))
  if (other !== undefined) {
    throw new Error(
      `${folder} holds ${relative(folder, other)}, which npm run docs has not written. ` +
        "Name a new or empty folder, or remove what it holds."
    )
  }
  // Before anything else, so that a run that was cut short can be repeated.
  writeFileSync(list, [...new Set([...earlier, ...files.keys()])].join("\n"))
  for (const name of readdirSync(folder))
    if (name !== listName) rmSync(join(folder, name), { recursive: true })
  for (const [file, content] of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  writeFileSync(list, [...files.keys()].join("\n"))
}

/** The first file in the folder that is not known. It ends there, since the folder may be the root of a disk. */
const otherFile = (folder: string, known: ReadonlySet<string>): string | undefined => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const within = otherFile(path, known)
      if (within !== undefined) return within
    } else if (!known.has(path)) return path
  }
  return undefined
}
