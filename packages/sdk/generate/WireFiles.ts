/** The generated files, by their path beside this SDK. */
import { type Definition, definitions, nameOf } from "./Definitions.ts"
import { documentFiles } from "./Documents.ts"
import { goFiles } from "./go/Files.ts"
import { declaration } from "./Printer.ts"
import { postmanFiles } from "./Postman.ts"
import { pythonFiles } from "./python/Files.ts"
import { requestFiles } from "./requests/Files.ts"
import { rulesText } from "./Rules.ts"
import type { ApiName } from "./Spoken.ts"
import { tableFiles } from "./Tables.ts"

const first: { readonly [Name in ApiName]: string } = {
  Integration: "The JSON of the integration API.",
  Admin: "The JSON of the admin API, except what the integration API already has.",
  Runner: "The JSON of the runner API."
}

/** What is written by hand, and said in the generated files. */
const byHand = {
  "./Envelope.ts": ["Answer", "Page"],
  "./Json.ts": ["Json", "JsonObject", "Open"]
}

const isPage = ({ name, representation }: Definition): boolean =>
  name.endsWith("Page") && representation._tag === "Objects"

/** Pages are all alike but for their items. */
const printed = (definition: Definition): string =>
  isPage(definition)
    ? `export type ${definition.name} = Page<${itemOf(definition)}>\n`
    : declaration(definition)

const itemOf = ({ name, representation }: Definition): string => {
  const fields = representation._tag === "Objects" ? representation.propertySignatures : []
  const data = fields.find((field) => field.name === "data")?.type
  const item = data?._tag === "Arrays" ? data.rest[0] : undefined
  if (fields.length !== 3 || item?._tag !== "Reference") throw new Error(`${name} is no page`)
  return nameOf(item.$ref)
}

/** Each file knows those before it. */
const order: ReadonlyArray<ApiName> = ["Integration", "Admin", "Runner"]

const namesOf = (api: ApiName): ReadonlyArray<string> =>
  definitions.filter((definition) => definition.api === api).map(({ name }) => name)

const textOf = (api: ApiName): string => {
  const own = definitions.filter((definition) => definition.api === api)
  const body = own.map(printed).join("\n")
  const code = body.replaceAll(/\/\*\*[^]*?\*\/|"[^"]*"/g, "")
  const isSaid = (name: string) => new RegExp(`\\b${name}\\b`).test(code)
  const before = order.slice(0, order.indexOf(api))
  const behind = order
    .slice(order.indexOf(api) + 1)
    .flatMap(namesOf)
    .find(isSaid)
  if (behind !== undefined) throw new Error(`${behind} is named by a later API: name it where ${api} has it`)
  const imports: ReadonlyArray<readonly [path: string, names: ReadonlyArray<string>]> = [
    ...Object.entries(byHand),
    ...before.map((other) => [`./${other}.generated.ts`, namesOf(other)] as const)
  ]
  const lines = imports.flatMap(([path, names]) => {
    const said = names.filter(isSaid).toSorted()
    return said.length === 0 ? [] : [`import type { ${said.join(", ")} } from "${path}"\n`]
  })
  return `/** ${first[api]} Generated from the contract by \`npm run generate\`: do not edit. */\n${lines.join("")}\n${body}`
}

export const wireFiles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(order.map((api) => [`src/wire/${api}.generated.ts`, textOf(api)])),
  "src/wire/Rules.generated.ts": rulesText,
  ...requestFiles,
  ...pythonFiles,
  ...goFiles,
  ...documentFiles,
  ...postmanFiles,
  ...tableFiles
}
