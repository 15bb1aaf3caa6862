/** The defaults of a document: each must satisfy its own schema, since it is filled in where a value is missing. */
import type { Json } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import { compile, type ServedDocument, type StepLimits } from "./CompiledSchema.ts"
import { exhausted } from "./Issues.ts"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import type { SchemaNode } from "./SchemaTree.ts"

/** Some milliseconds, since documents are checked beside other work. */
const limits: StepLimits = { verdict: 50_000, report: 5_000 }

interface Default {
  /** Of the schema that has it. */
  readonly pointer: string
  readonly value: Json
}

/** The defaults that are filled in: those of properties, and of items by their place. */
const defaultsOf = ({ pointer, schema }: SchemaNode): ReadonlyArray<Default> =>
  !isObject(schema)
    ? []
    : ["properties", "items"].flatMap((keyword) => {
        const held = schema[keyword]
        if (keyword === "items" ? !isArray(held) : !isObject(held)) return []
        return Object.entries(held ?? {}).flatMap(([name, member]: [string, Json]) => {
          const value = isObject(member) ? member["default"] : undefined
          return value === undefined ? [] : [{ pointer: memberOf(memberOf(pointer, keyword), name), value }]
        })
      })

/** The defaults that their own schemas refuse. */
export const issuesOf = (
  document: ServedDocument,
  nodes: ReadonlyArray<SchemaNode>
): ReadonlyArray<SchemaIssue> => {
  const defaults = nodes.flatMap(defaultsOf)
  if (defaults.length === 0) return []
  const judge = compile({ ...document, parts: defaults.map(({ pointer }) => pointer) })
  const values = structuredClone(defaults.map(({ value }) => value))
  const found = judge?.({ ...values }, limits) ?? [exhausted]
  return found.map(({ path, message }) => {
    const [, index = "", ...inside] = path.split("/")
    const at = defaults[Number(index)]?.pointer
    const place = inside.length === 0 ? "" : ` at /${inside.join("/")}`
    return {
      path: at === undefined ? "" : memberOf(at, "default"),
      keyword: "default",
      message: `does not satisfy its own schema${place}: ${message}`
    }
  })
}
