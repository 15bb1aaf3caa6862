/** The calls that commands are made of when the program starts: reading the contract then would take half as long again. */
import { AdminApi } from "@runhook/contract/AdminApi"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Field, Operation as CommandCall } from "../../src/commands/contract/Operation.ts"
import { type PlainCommand, plainCommands } from "../../src/commands/contract/Tables.ts"
import type { Operation } from "../../../../packages/sdk/generate/Operation.ts"
import { operations } from "../../../../packages/sdk/generate/Operations.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly description?: string
}

interface Description {
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly schema: JsonSchema
    readonly required?: boolean
    readonly description?: string
  }>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
}

const document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Description>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
} = JSON.parse(JSON.stringify(OpenApi.fromApi(AdminApi)))

/** By method and path, whose ids have other names here than in calls. */
const placeOf = (method: string, path: string): string =>
  `${method.toLowerCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`

const described = new Map(
  Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, each]) => [placeOf(method, path), each] as const)
  )
)

const rootOf = ({ client }: Operation): string =>
  client === "account" ? "/api/v1/admin/accounts/{}" : "/api/v1/admin"

const resolved = (schema: JsonSchema): JsonSchema => {
  if (schema.$ref !== undefined) {
    const target = document.components.schemas[schema.$ref.replace(/.*\//, "")]
    if (target === undefined) throw new Error(`The document has no ${schema.$ref}`)
    return { ...resolved(target), ...(schema.description && { description: schema.description }) }
  }
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== "null") ?? []
  if (only === undefined || others.length > 0) return schema
  return { ...resolved(only), ...(schema.description && { description: schema.description }) }
}

const plain = (text: string): string => text.replaceAll("`", "")

/** Of a flag: a command line has no null, and one sentence has no full stop. */
const spoken = (text: string): string => {
  const said = plain(text).replaceAll(/(?:^|[;.]?\s+)null: [^.;]*(?=[.;]|$)/g, "")
  return /\.\s/.test(said) ? said : said.replace(/\.$/, "")
}

const metavarOf = (name: string, { format }: JsonSchema): string | undefined => {
  if (name.endsWith("_seconds")) return "seconds"
  if (name.endsWith("_id")) return "id"
  return { "date-time": "timestamp", uri: "url" }[format ?? ""]
}

const typeOf = (schema: JsonSchema): Field["type"] => {
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === "object") return "json"
  return schema.type === "boolean" || schema.type === "integer" ? schema.type : "text"
}

const fieldOf = (name: string, given: JsonSchema, isRequired: boolean): Field => {
  const schema = resolved(given)
  const isList = schema.type === "array"
  const item = resolved(schema.items ?? schema)
  const metavar = metavarOf(name, item)
  const says = spoken(schema.description ?? "")
  return {
    type: typeOf(item),
    ...(metavar !== undefined && { metavar }),
    ...(isList && { isList }),
    ...(isRequired && { isRequired }),
    ...(says !== "" && { says })
  }
}

/** What is within an object that may be left out may be left out as well. */
const fieldsOf = (given: JsonSchema, isGiven = true): ReadonlyArray<readonly [string, Field]> => {
  const { properties = {}, required = [] } = resolved(given)
  return Object.entries(properties).flatMap(([name, schema]): ReadonlyArray<readonly [string, Field]> => {
    const isRequired = isGiven && required.includes(name)
    const within = resolved(schema).properties === undefined ? [] : fieldsOf(schema, isRequired)
    const own = [name, fieldOf(name, schema, isRequired)] as const
    return [own, ...within.map(([inner, field]) => [`${name}.${inner}`, field] as const)]
  })
}

const callOf = (command: PlainCommand): CommandCall => {
  const clients = command.of === "service" ? ["admin"] : ["account", "admin"]
  const isOurs = (each: Operation) => each.call === command.call && clients.includes(each.client)
  const operation = operations.find(isOurs)
  const about = operation && described.get(placeOf(operation.method, rootOf(operation) + operation.path))
  if (operation === undefined || about === undefined) throw new Error(`The contract has no ${command.call}`)
  const taken = [...(command.args ?? []), ...command.takes].flatMap((take) =>
    "sets" in take ? [] : take.field
  )
  const query = (about.parameters ?? [])
    .filter((each) => each.in === "query")
    .map(({ description, name, required = false, schema }) => {
      const own = description === undefined ? schema : { ...schema, description }
      return [name, fieldOf(name, own, required)] as const
    })
  const body = about.requestBody?.content["application/json"]?.schema
  const chosen = (fields: ReadonlyArray<readonly [string, Field]>) =>
    Object.fromEntries(fields.filter(([name]) => taken.includes(name)))
  const found = {
    query: chosen(query),
    ...(body !== undefined && { body: chosen(fieldsOf(body)) })
  }
  const known = new Set([...operation.params, ...Object.keys({ ...found.query, ...found.body })])
  const missing = taken.find((field) => !known.has(field))
  if (missing !== undefined) throw new Error(`${command.call} takes no ${missing}`)
  const { method, summary } = operation
  // Of an account as a whole, its owner is the account.
  const path = command.of === "account" ? operation.path.replace(/^\/accounts\/\{\w+\}/, "") : operation.path
  return { method, path, summary, description: plain(operation.description), ...found }
}

/** By noun and command. */
const calls = Object.fromEntries(
  plainCommands.map((command) => [`${command.noun} ${command.name}`, callOf(command)])
)

/** `apps/server/src/commands/contract/Operations.generated.ts`. */
export const generated = `/** The calls that commands make. Generated from the contract by \`npm run generate\`: do not edit. */
import type { Operation } from "./Operation.ts"

export const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(calls, null, 2)}
`
