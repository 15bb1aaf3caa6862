/**
 * Builds what the package holds, into a folder:
 *
 *     node apps/server/pack.mjs <folder>
 *
 * The program with all packages it is made of, the Integrations page, the
 * guides. Below `dist` everything lies as it does in the repository, so that
 * sources find there what lies beside them.
 */
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as GuideFiles from "@runhook/docs-site/guides/GuideFiles"
import * as Effect from "effect/Effect"
import { bundle } from "./bundle.mjs"

const rootUrl = new URL("../../", import.meta.url)
const root = fileURLToPath(rootUrl)
const stage = process.argv[2]
const dist = join(stage, "dist")

const scriptOf = (source) => relative(root, source).replace(/\.ts$/, ".js")

await import("../../packages/console/build.mjs")
const files = await bundle(dist, {
  placeOf: (source) => `new URL("./${scriptOf(source)}", import.meta.url).href`,
  threadFileOf: scriptOf
})

const copy = (file) => cpSync(join(root, file), join(dist, file))

/** Such as `packages/docs-site/src`. */
const sourceFolders = new Set(
  files.flatMap((file) => /^(?:apps|packages)\/[^/]+\/src(?=\/)/.exec(relative(root, file)) ?? []).map(String)
)
for (const folder of sourceFolders)
  for (const file of globSync(`${folder}/**/*.*`, { cwd: root })) if (!file.endsWith(".ts")) copy(file)

for (const file of globSync("packages/console/dist/**/*.*", { cwd: root })) copy(file)

const guides = await Effect.runPromise(Effect.provide(GuideFiles.read(rootUrl), NodeServices.layer))
for (const { file, text } of guides) {
  mkdirSync(dirname(join(dist, file)), { recursive: true })
  writeFileSync(join(dist, file), text)
}

/** The packages of others in the program, by their folders. */
const foreign = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))

const termsOf = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8").trim())
  return `## ${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`
}

const pageTerms = readFileSync(join(root, "packages/console/dist/licenses.md"), "utf8")
writeFileSync(
  join(dist, "licenses.md"),
  `# What of others the program is made of\n\n${[...foreign].map(termsOf).toSorted().join("\n")}\n${pageTerms}`
)

cpSync(join(root, "apps/server/bin/installed"), join(stage, "bin/runhook"))
