/** The files of a deployment. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../scripts/pack/PublicPackages.ts"

export const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

/** By their paths. */
const files = new Map(
  ["Dockerfile", ...globSync("deploy/**/*.*", { cwd: root, exclude: ["deploy/secrets/**"] })].map((file) => [
    file,
    textOf(file)
  ])
)

export const everything = [...files.values()].join("\n")

/** Of the chart. */
export const templates = [...files].filter(([file]) => file.includes("/templates/")).map(([, text]) => text)
