/** What of a package may be imported. */
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"
import type { Manifest } from "../../scripts/pack/Manifest.ts"

/** Such as `@runhook/core/Engine`: the entries it names, and for one with a star the modules that it stands for. */
export const entriesOf = (folder: string, { exports = {}, name }: Manifest): ReadonlyArray<string> =>
  Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .flatMap((entry) => (entry.includes("*") ? modulesOf(folder) : [entry]))
    .map((entry) => name + entry.slice(1))

/** Scripts without types are files for a page. */
const modulesOf = (folder: string): ReadonlyArray<string> =>
  globSync("**/*.js", { cwd: join(folder, "dist") })
    .map((file) => file.slice(0, -".js".length))
    .filter((file) => existsSync(join(folder, "dist", `${file}.d.ts`)))
    .map((file) => `./${file}`)
