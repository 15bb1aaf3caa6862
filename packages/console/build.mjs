/**
 * Builds the page into `dist` when its sources are newer than what is there:
 *
 *     node packages/console/build.mjs
 *
 * Every file is compressed once, here, so that the service only has to send it.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const here = fileURLToPath(new URL(".", import.meta.url))
const dist = join(here, "dist")
const stampFile = join(dist, "sources")

/** Everything that the page is made of. */
const sources = [
  "build.mjs",
  "index.html",
  "package.json",
  "vite.config.ts",
  "src/**/*.{ts,tsx,css}",
  "../params/src/SchemaDiff.ts",
  "../sdk/src/**/*.ts",
  "../../pnpm-lock.yaml"
]

const stampOf = () => {
  const hash = createHash("sha256")
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: here }))
  for (const file of files.toSorted()) hash.update(`${file}\0`).update(readFileSync(join(here, file)))
  return hash.digest("hex")
}

const compress = (folder) => {
  for (const file of globSync("**/*.{html,js,css}", { cwd: folder })) {
    const bytes = readFileSync(join(folder, file))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(bytes, { params }))
    // Blocks of this size say what their own letters are, and come out smallest.
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9, memLevel: 7 }))
  }
}

const stamp = stampOf()
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  // What starts it, as a run of tests, may have another: then every element would carry the place of its source.
  process.env.NODE_ENV = "production"
  const { build } = await import("vite")
  // Built aside: a service that starts meanwhile finds the old page or the new one, and never a half.
  const aside = join(here, `dist.${process.pid}`)
  const before = join(here, `dist.${process.pid}.before`)
  try {
    await build({ configFile: join(here, "vite.config.ts"), build: { outDir: aside } })
    compress(aside)
    writeFileSync(join(aside, "sources"), stamp)
    if (existsSync(dist)) renameSync(dist, before)
    renameSync(aside, dist)
  } finally {
    for (const folder of [aside, before]) rmSync(folder, { recursive: true, force: true })
  }
}
