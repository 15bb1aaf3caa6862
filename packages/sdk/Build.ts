/** Builds the package into a folder: modules with their types, and the same again in `cjs` for programs that `require`. */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { transformSync } from "esbuild"

const home = import.meta.dirname
const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

/** File by file, so that an error is of the same class in every entry. */
const commonJs = (module: string): string =>
  transformSync(module, {
    format: "cjs",
    platform: "node",
    target: "es2022",
    define: { "import.meta.url": "moduleUrl" },
    ...(module.includes("import.meta.url")
      ? { banner: `const moduleUrl = require("node:url").pathToFileURL(__filename).href;` }
      : {})
  }).code

/** `folder` is that of the package. */
export const build = (folder: string): void => {
  const dist = join(folder, "dist")
  rmSync(dist, { recursive: true, force: true })
  execFileSync(process.execPath, [compiler, "-p", join(home, "tsconfig.build.json"), "--outDir", dist], {
    stdio: "inherit"
  })
  for (const file of globSync("**/*.{js,d.ts,d.ts.map}", { cwd: dist })) {
    const [from, to] = [join(dist, file), join(dist, "cjs", file)]
    mkdirSync(dirname(to), { recursive: true })
    if (file.endsWith(".js")) writeFileSync(to, commonJs(readFileSync(from, "utf8")))
    else cpSync(from, to)
  }
  writeFileSync(join(dist, "cjs/package.json"), `{ "type": "commonjs" }\n`)
  // What the maps lead to.
  cpSync(join(home, "src"), join(folder, "src"), { recursive: true })
}

if (import.meta.main) build(process.argv[2] ?? home)
