/** Builds the package into a folder: modules with their types, and the same again in `cjs` for programs that `require`. */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { transformSync } from "esbuild"

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

export const build = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  const project = join(import.meta.dirname, "tsconfig.build.json")
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", folder], { stdio: "inherit" })
  for (const file of globSync("**/*.{js,d.ts}", { cwd: folder })) {
    const [from, to] = [join(folder, file), join(folder, "cjs", file)]
    mkdirSync(dirname(to), { recursive: true })
    if (file.endsWith(".js")) writeFileSync(to, commonJs(readFileSync(from, "utf8")))
    else cpSync(from, to)
  }
  writeFileSync(join(folder, "cjs/package.json"), `{ "type": "commonjs" }\n`)
}
