/** Builds the package into a folder: all of the service in one module, again in `cjs` for programs that `require`, and its types. */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildSync, type Metafile } from "esbuild"

const home = import.meta.dirname
const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

const bundle = (format: "cjs" | "esm", outfile: string): Metafile =>
  buildSync({
    absWorkingDir: home,
    entryPoints: ["src/Testing.ts"],
    outfile,
    format,
    bundle: true,
    platform: "node",
    target: "node20",
    // Tests tell errors of the SDK apart by their classes, so it must be the one that they import.
    external: ["@runhook/sdk"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true
  }).metafile

/** The licences of what the bundle holds of others. */
const noticesOf = ({ inputs }: Metafile): string => {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  )
  return Array.from(folders, (folder) => {
    const { name, version } = JSON.parse(readFileSync(join(home, folder, "package.json"), "utf8"))
    const text = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"]
      .map((file) => join(home, folder, file))
      .find(existsSync)
    if (text === undefined) throw new Error(`${name} has no licence to go with it`)
    return `${name} ${version}\n\n${readFileSync(text, "utf8").trim()}\n`
  })
    .toSorted()
    .join(`\n${"-".repeat(80)}\n\n`)
}

/** `folder` is that of the package. */
export const build = (folder: string): void => {
  const dist = join(folder, "dist")
  rmSync(dist, { recursive: true, force: true })
  const metafile = bundle("esm", join(dist, "Testing.js"))
  bundle("cjs", join(dist, "cjs/Testing.js"))
  execFileSync(process.execPath, [compiler, "-p", join(home, "tsconfig.build.json"), "--outDir", dist], {
    stdio: "inherit"
  })
  for (const file of globSync("*.d.ts", { cwd: dist })) {
    // The compiler leaves the names of sources in types.
    const types = readFileSync(join(dist, file), "utf8").replaceAll(/(?<= from "\.[^"]*)\.ts(?=")/g, ".js")
    for (const beside of [".", "cjs"]) writeFileSync(join(dist, beside, file), types)
  }
  writeFileSync(join(dist, "cjs/package.json"), `{ "type": "commonjs" }\n`)
  writeFileSync(join(dist, "NOTICES.txt"), noticesOf(metafile))
}

if (import.meta.main) build(process.argv[2] ?? home)
