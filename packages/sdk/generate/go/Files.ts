/** The generated files of the SDK for Go, by their path beside the SDK for TypeScript. */
import { definitions, type Definition } from "../Definitions.ts"
import { operations } from "../Operations.ts"
import { finished } from "../Rules.ts"
import { exported, typeName } from "./Names.ts"
import { withAlternatives } from "./Alternatives.ts"
import { methodsOf, nounsOf } from "./Calls.ts"
import { declarations, type Use } from "./Printer.ts"

const head = "// Code generated from the contract by `npm run generate`; DO NOT EDIT.\n\npackage runhook\n"

/** Pages are all alike but for their items. */
const isPage = ({ name, representation }: Definition): boolean =>
  name.endsWith("Page") && representation._tag === "Objects"

/** What sets some fields, and leaves others as they are. */
const changes = new Set(
  operations.flatMap(({ body, method }) => (method === "PATCH" && body !== null ? [body.type] : []))
)

const useOf = (definition: Definition): Use => (changes.has(definition.name) ? "change" : definition.side)

const types = (): string => {
  const own = definitions.filter((definition) => definition.api === "Integration" && !isPage(definition))
  const body = withAlternatives(own)
    .map((definition) => declarations(definition, useOf(definition)))
    .join("\n")
  return `${head}\nimport "time"\n\n${body}`
}

const rules = (): string => {
  const lines = finished.map((status) => `\tExecutionStatus${exported(status)},\n`)
  return `${head}\n// finishedStatuses are those in which nothing more happens to an execution.\nvar finishedStatuses = []${typeName("KnownExecutionStatus")}{\n${lines.join("")}}\n`
}

const calls = (): string => {
  const own = operations.filter(({ client }) => client === "runhook")
  const imports = `import (\n\t"context"\n\t"iter"\n\t"net/url"\n)\n`
  return [head, imports, ...nounsOf(own), ...own.flatMap(methodsOf)].join("\n")
}

const folder = "../sdk-go"

export const goFiles: Readonly<Record<string, string>> = {
  [`${folder}/calls_gen.go`]: calls(),
  [`${folder}/types_gen.go`]: types(),
  [`${folder}/rules_gen.go`]: rules()
}
