/** The form in which a document is handed to ajv. */
import type { Json, JsonObject } from "@runhook/core/domain/Json"
import { type Dialect, trialKeywords } from "./Dialect.ts"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import type { References } from "./References.ts"
import { subschemasOf } from "./SchemaTree.ts"

/** The keyword that counts the steps of each schema. Its value is the size of that schema alone. */
export const stepKeyword = "$steps"

/** Where the copy without defaults stands in the served document. */
const trialKeyword = "$trial"

type Copy = "main" | "trial"

const sizeOf = (json: Json): number =>
  isArray(json) ? json.length + 1 : isObject(json) ? Object.keys(json).length + 1 : 1

/**
 * Rewrites a document so that only what asserts is left, every reference is a pointer from the
 * root, and every schema counts its steps.
 *
 * Schemas that are only tried on a value, such as those of `anyOf`, lead to a second copy without
 * defaults: ajv would fill the defaults of a branch in before it knows whether the branch applies.
 */
export const servedSchema = (dialect: Dialect, document: JsonObject, references: References): JsonObject => {
  const rewrite = (schema: Json, pointer: string, copy: Copy): Json => {
    if (!isObject(schema)) return schema
    const target = references.get(pointer)
    return {
      [stepKeyword]: Object.values(schema).reduce((size: number, value) => size + sizeOf(value), 1),
      ...(target === undefined ? {} : { $ref: fragmentOf(target, copy) }),
      ...Object.fromEntries(
        Object.entries(schema).flatMap(([keyword, value]) => {
          if (keyword === "default" && copy === "trial") return []
          const role = dialect.keywords.get(keyword)
          if (role === "assertion") return [[keyword, value]]
          if (role !== "schema" && role !== "schemas") return []
          const inner = trialKeywords.has(keyword) ? "trial" : copy
          const rewritten = new Map(
            subschemasOf(dialect, keyword, value, pointer).map(([path, subschema]) => [
              path,
              rewrite(subschema, path, inner)
            ])
          )
          return [[keyword, replaced(value, memberOf(pointer, keyword), rewritten)]]
        })
      )
    }
  }
  const served = rewrite(document, "", "main")
  return { ...(isObject(served) ? served : {}), [trialKeyword]: rewrite(document, "", "trial") }
}

/** The value of a keyword with its schemas replaced by their rewritten forms. */
const replaced = (value: Json, path: string, rewritten: ReadonlyMap<string, Json>): Json => {
  const whole = rewritten.get(path)
  if (whole !== undefined) return whole
  if (isArray(value)) return value.map((item, index) => rewritten.get(memberOf(path, index)) ?? item)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, rewritten.get(memberOf(path, name)) ?? item])
  )
}

const fragmentOf = (pointer: string, copy: Copy): string =>
  `#${copy === "trial" ? memberOf("", trialKeyword) : ""}${pointer.split("/").map(encodeURIComponent).join("/")}`
