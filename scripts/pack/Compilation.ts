/** Compiles packages in one run of the compiler: scripts, types and source maps, each in the `dist` of its package. */
import { execFile } from "node:child_process"
import { cp, glob, mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { root } from "./PublicPackages.ts"

const compiler = fileURLToPath(new URL("./bin/tsc", import.meta.resolve("typescript/package.json")))

/** `stages` are the folders to fill, by package folder. */
export const compile = async (stages: ReadonlyMap<string, string>, temporary: string): Promise<void> => {
  if (stages.size === 0) return
  const outDir = join(temporary, "compiled")
  const project = join(temporary, "tsconfig.json")
  await writeFile(project, JSON.stringify(projectOf([...stages.keys()], outDir)))
  // Several checkers each look at what all files share, which is most of it: one is done with a third less work.
  await promisify(execFile)(process.execPath, [compiler, "-p", project, "--checkers", "1"]).catch(
    ({ stdout }) => {
      throw new Error(`The packages do not compile:\n${stdout}`)
    }
  )
  for (const [folder, stage] of stages) {
    const source = join(root, folder, "src")
    const dist = join(stage, "dist")
    await mkdir(stage, { recursive: true })
    await rename(join(outDir, folder, "src"), dist)
    await cp(source, join(stage, "src"), { recursive: true })
    await copyOthers(source, dist)
  }
  await rm(outDir, { recursive: true })
}

const projectOf = (folders: ReadonlyArray<string>, outDir: string) => ({
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: {
    rootDir: root,
    outDir,
    typeRoots: [join(root, "node_modules/@types")],
    noEmit: false,
    declaration: true,
    declarationMap: true,
    sourceMap: true,
    // `npm run check` has found what is wrong; what is wrong with a declaration is found here as well.
    noCheck: true,
    rewriteRelativeImportExtensions: true
  },
  include: folders.map((folder) => join(root, folder, "src"))
})

/** Files that sources read lie beside the scripts as they lie beside the sources. */
const copyOthers = async (source: string, dist: string): Promise<void> => {
  for await (const file of glob("**/*.*", { cwd: source })) {
    if (!file.endsWith(".ts")) await cp(join(source, file), join(dist, file))
  }
}
