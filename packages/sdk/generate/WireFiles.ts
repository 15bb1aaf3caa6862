/** The generated files of the SDK, by their path in it. */
import { type Definition, definitions, nameOf } from "./Definitions.ts"
import { declaration } from "./Printer.ts"
import type { ApiName } from "./Spoken.ts"

const first: { readonly [Name in ApiName]: string } = {
  Integration: "The JSON of the integration API.",
  Admin: "The JSON of the admin API, as far as it is not that of the integration API.",
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

const textOf = (api: ApiName): string => {
  const own = definitions.filter((definition) => definition.api === api)
  const body = own.map(printed).join("\n")
  const isSaid = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(body.replaceAll(/\/\*\*[^]*?\*\/|"[^"]*"/g, ""))
  const imports = Object.entries(byHand).concat(
    (["Admin", "Integration", "Runner"] as const)
      .filter((other) => other !== api)
      .map((other) => [
        `./${other}.generated.ts`,
        definitions.filter((definition) => definition.api === other).map(({ name }) => name)
      ])
  )
  const lines = imports.flatMap(([path, names]) => {
    const said = names.filter(isSaid).toSorted()
    return said.length === 0 ? [] : [`import type { ${said.join(", ")} } from "${path}"\n`]
  })
  return `/** ${first[api]} Generated from the contract by \`npm run generate\`: do not edit. */\n${lines.join("")}\n${body}`
}

export const wireFiles: Readonly<Record<string, string>> = {
  "src/wire/Integration.generated.ts": textOf("Integration"),
  "src/wire/Admin.generated.ts": textOf("Admin"),
  "src/wire/Runner.generated.ts": textOf("Runner")
}
