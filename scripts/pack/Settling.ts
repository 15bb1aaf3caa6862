/** Adapts the compiler's output to its place in the package. */
import { existsSync } from "node:fs"
import { glob, readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"

/** `stage` is the folder of the package. */
export const settle = async (stage: string): Promise<void> => {
  const dist = join(stage, "dist")
  for await (const file of glob("**/*.d.ts", { cwd: dist })) await nameScripts(join(dist, file))
  if (!existsSync(join(stage, "src"))) return
  for await (const file of glob("**/*.map", { cwd: dist })) await leadToSource(stage, file)
}

/** The compiler leaves source names in types. */
const nameScripts = async (file: string): Promise<void> => {
  const text = await readFile(file, "utf8")
  await writeFile(file, text.replaceAll(/(?<=(?:\bfrom |\bimport\(|^import )"\.[^"]*)\.ts(?=")/gm, ".js"))
}

/** Source maps lead to the sources' old place. The same types are in `cjs`, for programs that `require`. */
const leadToSource = async (stage: string, file: string): Promise<void> => {
  const map = join(stage, "dist", file)
  const source = join(stage, "src", file.replace(/^cjs\//, "").replace(/\.(?:d\.ts|js)\.map$/, ".ts"))
  const sources = [relative(dirname(map), source)]
  await writeFile(map, JSON.stringify({ ...JSON.parse(await readFile(map, "utf8")), sources }))
}
