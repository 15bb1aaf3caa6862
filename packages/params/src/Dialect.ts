/** The drafts of JSON Schema that can be served, and the role of each of their keywords. */
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"

/**
 * - `assertion`: checked as it stands.
 * - `annotation`: says something to people and programs, nothing to a validator.
 * - `identifier`: names this place in the document.
 * - `reference`: applies the schema at another place.
 * - `schema`: holds a schema, or a list of them.
 * - `schemas`: holds schemas by name; a list beside them is one of property names.
 */
export type Role = "assertion" | "annotation" | "identifier" | "reference" | "schema" | "schemas"

export interface Dialect {
  readonly name: string
  readonly keywords: ReadonlyMap<string, Role>
  readonly Ajv: typeof Ajv | typeof Ajv2020
  readonly metaschema: string
  /** Whether `$ref` stands alone: what is beside it means nothing, but for schemas by name that it may lead to. */
  readonly isRefAlone: boolean
}

const inRole = (role: Role, keywords: string): ReadonlyArray<readonly [string, Role]> =>
  keywords.split(" ").map((keyword) => [keyword, role])

const shared = [
  ...inRole("assertion", "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum"),
  ...inRole("assertion", "maxLength minLength pattern format maxItems minItems uniqueItems"),
  ...inRole("assertion", "maxProperties minProperties required default"),
  ...inRole("annotation", "title description examples readOnly writeOnly $comment"),
  ...inRole("annotation", "contentMediaType contentEncoding"),
  ...inRole("identifier", "$schema $id"),
  ...inRole("reference", "$ref"),
  ...inRole("schema", "additionalProperties contains else if items not propertyNames then allOf anyOf oneOf"),
  ...inRole("schemas", "properties patternProperties definitions $defs")
]

const draft202012: Dialect = {
  name: "2020-12",
  keywords: new Map([
    ...shared,
    ...inRole("assertion", "maxContains minContains dependentRequired"),
    ...inRole("annotation", "deprecated contentSchema"),
    ...inRole("identifier", "$anchor $dynamicAnchor"),
    ...inRole("reference", "$dynamicRef"),
    ...inRole("schema", "prefixItems unevaluatedItems unevaluatedProperties"),
    ...inRole("schemas", "dependentSchemas")
  ]),
  Ajv: Ajv2020,
  metaschema: "https://json-schema.org/draft/2020-12/schema",
  isRefAlone: false
}

const draft07: Dialect = {
  name: "07",
  keywords: new Map([
    ...shared,
    ...inRole("schema", "additionalItems"),
    ...inRole("schemas", "dependencies")
  ]),
  Ajv,
  metaschema: "http://json-schema.org/draft-07/schema",
  isRefAlone: true
}

/** The dialect that `$schema` names; 2020-12 if it is absent, undefined if it is none of ours. */
export const dialectOf = ({ $schema }: JsonObject): Dialect | undefined => {
  if ($schema === undefined) return draft202012
  if (typeof $schema !== "string") return undefined
  return [draft202012, draft07].find(({ metaschema }) => metaschema === $schema.replace(/#$/, ""))
}

const besideRef: ReadonlySet<string> = new Set(["$ref", "$schema", "definitions", "$defs"])

/** Whether a keyword of a schema means nothing, since it stands beside `$ref`. */
export const isBesideRef = ({ isRefAlone }: Dialect, schema: JsonObject, keyword: string): boolean =>
  isRefAlone && typeof schema["$ref"] === "string" && !besideRef.has(keyword)

/** The keywords of a schema that its draft reads. */
export const keywordsRead = (dialect: Dialect, schema: JsonObject): JsonObject =>
  Object.keys(schema).some((keyword) => isBesideRef(dialect, schema, keyword))
    ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isBesideRef(dialect, schema, keyword)))
    : schema

/** The keywords whose schemas apply to the same value as the schema around them. */
export const inPlaceKeywords: ReadonlySet<string> = new Set(
  "allOf anyOf oneOf not if then else dependentSchemas dependencies".split(" ")
)

/** The keywords that try a schema on a value that need not satisfy it. */
export const trialKeywords: ReadonlySet<string> = new Set(
  "anyOf oneOf not if contains propertyNames".split(" ")
)

/** Custom annotations: `x-` and anything. */
export const isOwnAnnotation = (keyword: string): boolean => keyword.startsWith("x-")
