/**
 * `npm run release`: packs what is published, with what lets others check it, and tags the commit. It publishes
 * nothing: what is published cannot be taken back, so a person does that, by the commands that it prints.
 */
import { execFileSync } from "node:child_process"
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { parseArgs } from "node:util"
import { pack } from "../pack/Packing.ts"
import { publicPackages, root } from "../pack/PublicPackages.ts"
import { packPython } from "../pack/Python.ts"
import { writeArtefacts } from "./Artefacts.ts"
import { componentsOf } from "./Components.ts"
import { unfit } from "./Licences.ts"
import { obstacles, tagOf, treeOf } from "./Readiness.ts"
import { tableOf } from "./Table.ts"

const { values } = parseArgs({ options: { "dry-run": { type: "boolean" } } })
// Without `--` before it, npm takes the option for its own.
const isDry = values["dry-run"] === true || process.env["npm_config_dry_run"] === "true"

const versions = publicPackages().map(({ manifest }) => manifest.version)
const tag = tagOf(versions[0])
const tree = treeOf(root)
const found = [...obstacles({ ...tree, versions })]

const refuse = () => {
  console.error(`${tag} cannot be released:\n\n${found.map((each) => `- ${each}\n`).join("")}`)
  process.exit(1)
}
if (!isDry && found.length > 0) refuse()

const into = join(root, "packed")
await rm(into, { recursive: true, force: true })
const packed = await pack({ into })
const forPython = await packPython(into)
if (forPython.length === 0)
  found.push("Release on a machine with Python 3.10 or later, which builds packages/sdk-python.")
const broughtBy = componentsOf(root, packed)
await writeArtefacts(packed, { beside: forPython, commit: tree.commit, componentsOf: broughtBy, into })
const components = [...new Map(packed.flatMap((each) => [...broughtBy(each)])).values()]
const elsewhere = components.filter(({ licence }) => licence === undefined).map(({ name }) => name)
const unfitted = unfit(components)
if (unfitted.length > 0) found.push(`Replace what has no permissive licence: ${unfitted.join(", ")}.`)

console.log(`${tableOf(packed)}

Beside them in ${relative(process.cwd(), into)}: a bill of materials of each (.cdx.json), provenance.json, SHA256SUMS.
They bring ${components.length} packages. Not installed on this platform, so without a licence there: ${elsewhere.join(", ")}.
`)
if (found.length > 0) refuse()

if (!isDry) {
  const signing = ["tag", "--sign", tag, "--message", `Runhook ${tag}`]
  execFileSync("git", signing, { cwd: root, stdio: "inherit" })
}
const proving = process.env["CI"] === "true" ? " --provenance" : ""
console.log(
  [
    isDry ? `A release tags the commit: git tag --sign ${tag}` : `${tag} is tagged.`,
    "Then publish, in this order:\n",
    `git push origin ${tag}`,
    ...packed.map(({ file }) => `npm publish ${relative(process.cwd(), file)}${proving}`),
    `twine upload ${forPython.map((file) => relative(process.cwd(), file)).join(" ")}`
  ].join("\n")
)
