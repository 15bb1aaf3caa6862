/**
 * How large the parts of a document may be. Each bound limits the cost of compiling
 * it; no schema written by people comes near.
 */
import type { Json } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import type { SchemaNode } from "./SchemaTree.ts"

/** The most schemas in one document. */
export const schemasMax = 1_000

/** The most names in one list, of `required` or under a name of `dependentRequired` or `dependencies`. */
export const namesMax = 500

/** The most names in all lists of one document. */
export const namesInAllMax = 2_000

/** The most schemas in one list. */
export const membersMax = 200

/** The most patterns in one `patternProperties`. */
export const patternsMax = 100

/** The most values in one `enum`. */
export const valuesMax = 5_000

const lengthOf = (json: Json | undefined): number =>
  isArray(json) ? json.length : isObject(json) ? Object.keys(json).length : 0

interface List {
  readonly path: string
  readonly keyword: string
  readonly length: number
}

/** The lists of names in a schema. */
const namesOf = ({ pointer, schema }: SchemaNode): ReadonlyArray<List> =>
  !isObject(schema)
    ? []
    : [
        { path: memberOf(pointer, "required"), keyword: "required", length: lengthOf(schema["required"]) },
        ...["dependentRequired", "dependencies"].flatMap((keyword) => {
          const lists = schema[keyword]
          const path = memberOf(pointer, keyword)
          return Object.entries(isObject(lists) ? lists : {}).flatMap(([name, list]) =>
            isArray(list) ? [{ path: memberOf(path, name), keyword, length: list.length + 1 }] : []
          )
        })
      ]

const lengthLimits: { readonly [keyword: string]: readonly [lengthMax: number, what: string] } = {
  allOf: [membersMax, "schemas"],
  anyOf: [membersMax, "schemas"],
  oneOf: [membersMax, "schemas"],
  prefixItems: [membersMax, "schemas"],
  items: [membersMax, "schemas"],
  patternProperties: [patternsMax, "patterns"],
  enum: [valuesMax, "values"]
}

/** A schema under `items` has as many members as keywords, and is not a list. */
const isCounted = (keyword: string, value: Json | undefined): boolean => keyword !== "items" || isArray(value)

const longKeywords = ({ pointer, schema }: SchemaNode): ReadonlyArray<SchemaIssue> =>
  !isObject(schema)
    ? []
    : Object.entries(lengthLimits).flatMap(([keyword, [lengthMax, what]]) =>
        isCounted(keyword, schema[keyword]) && lengthOf(schema[keyword]) > lengthMax
          ? [{ path: memberOf(pointer, keyword), keyword, message: `has more than ${lengthMax} ${what}` }]
          : []
      )

/** What is too large in a document with these schemas. */
export const issuesOf = (nodes: ReadonlyArray<SchemaNode>): ReadonlyArray<SchemaIssue> => {
  if (nodes.length > schemasMax) {
    return [{ path: "", keyword: "schemas", message: `has more than ${schemasMax} schemas` }]
  }
  const lists = nodes.flatMap(namesOf)
  const names = lists.reduce((sum, { length }) => sum + length, 0)
  return [
    ...nodes.flatMap(longKeywords),
    ...lists
      .filter(({ length }) => length > namesMax)
      .map(({ keyword, path }) => ({ path, keyword, message: `has more than ${namesMax} names` })),
    ...(names > namesInAllMax
      ? [{ path: "", keyword: "names", message: `has more than ${namesInAllMax} names in its lists` }]
      : [])
  ]
}
