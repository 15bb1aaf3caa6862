/** The generated modules of the SDK for Python, by their path beside the SDK for TypeScript. */
import { definitions, type Definition } from "../Definitions.ts"
import { finished } from "../Rules.ts"
import type { ApiName } from "../Spoken.ts"
import { blockingFiles } from "./Blocking.ts"
import { errorsFile } from "./Errors.ts"
import { nounFiles } from "./Nouns.ts"
import { declarations, type Reading } from "./Printer.ts"

const modules: {
  readonly [Name in ApiName]: { readonly file: string; readonly says: string; readonly reading: Reading }
} = {
  Integration: {
    file: "integration",
    says: "The JSON of the integration API.",
    reading: "attributes"
  },
  Admin: {
    file: "admin",
    says: "The JSON of the admin API, except what the integration API already has.",
    reading: "attributes"
  },
  // Only the runner itself reads it.
  Runner: { file: "runner", says: "The JSON of the runner API.", reading: "dictionaries" }
}

const namesOf = (api: ApiName): ReadonlyArray<string> =>
  definitions.filter((definition) => definition.api === api).map(({ name }) => name)

/** Pages are all alike but for their items. */
const isPage = ({ name, representation }: Definition): boolean =>
  name.endsWith("Page") && representation._tag === "Objects"

const importsOf = (code: string, before: ReadonlyArray<ApiName>): string => {
  const isSaid = (name: string) => new RegExp(`\\b${name}\\b`).test(code)
  const line = (module: string, names: ReadonlyArray<string>) => {
    const said = names.filter(isSaid).toSorted()
    if (said.length === 0) return ""
    const short = `from ${module} import ${said.join(", ")}\n`
    return short.length <= 100 ? short : `from ${module} import (\n    ${said.join(",\n    ")},\n)\n`
  }
  return [
    line("collections.abc", ["Mapping", "Sequence"]),
    line("dataclasses", ["dataclass"]),
    line("typing", ["Any", "Literal", "TypeAlias", "TypedDict", "Union"]),
    "\n",
    line(".._typing", ["NotRequired"]),
    ...before.map((api) => line(`.${modules[api].file}`, namesOf(api)))
  ].join("")
}

const order: ReadonlyArray<ApiName> = ["Integration", "Runner"]

const textOf = (api: ApiName): string => {
  const { reading, says } = modules[api]
  const own = definitions.filter((definition) => definition.api === api && !isPage(definition))
  const body = own.map((definition) => declarations(definition, reading)).join("\n\n")
  const code = body.replaceAll(/"""[^]*?"""|"[^"]*"/g, "")
  const imports = importsOf(code, order.slice(0, order.indexOf(api)))
  const names = [...code.matchAll(/^(?:class (\w+)|(\w+): TypeAlias)/gm)].map(
    ([, one, other]) => one ?? other
  )
  return [
    `"""${says} Generated from the contract by \`npm run generate\`: do not edit."""\n`,
    `from __future__ import annotations\n`,
    imports,
    `__all__ = [\n${names.map((name) => `    "${name}",\n`).join("")}]\n`,
    `\n${body}`
  ].join("\n")
}

const set = (name: string, says: string, words: Iterable<string>): string =>
  `${name} = frozenset({${Array.from(words, (word) => `"${word}"`).join(", ")}})\n"""${says}"""\n`

const rulesText = `"""Rules of the service. Generated from the core by \`npm run generate\`: do not edit."""

${set("FINISHED_STATUSES", "Statuses in which nothing more happens to an execution.", finished)}`

const folder = "../sdk-python/src/runhook"

export const pythonFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(order.map((api) => [`${folder}/_generated/${modules[api].file}.py`, textOf(api)])),
  ...Object.fromEntries(Object.entries(nounFiles).map(([path, text]) => [`${folder}/${path}`, text])),
  ...blockingFiles,
  [`${folder}/errors.py`]: errorsFile(`${folder}/errors.py`),
  [`${folder}/_generated/rules.py`]: rulesText
}
