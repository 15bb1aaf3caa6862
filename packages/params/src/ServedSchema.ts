/** The form in which a document is given to ajv. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { type Dialect, keywordsRead, trialKeywords } from "./Dialect.ts"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import type { References } from "./References.ts"
import { costOf, type SchemaCost } from "./SchemaCost.ts"
import { subschemasOf } from "./SchemaTree.ts"

/** The keyword that counts the steps of each schema. */
export const stepKeyword = "$steps"

export type Step = {
  readonly cost: SchemaCost
  /** The schema is tried on values that need not satisfy it. */
  readonly isTrial: boolean
}

/** The keyword for arrays and objects in `const` and `enum`. */
export const equalKeyword = "$equal"

/** The keyword for the names in `dependentRequired` and `dependencies`. */
export const dependentKeyword = "$dependent"

/** Where a schema with `unevaluatedItems` or `unevaluatedProperties` is in the served document. */
export const placeKeyword = "$place"

/** Where the copy without defaults is in the served document. */
const trialKeyword = "$trial"

type Copy = "main" | "trial"

/**
 * Rewrites a document: only assertions are left, every reference is a pointer from
 * the root, and every schema counts its steps.
 *
 * Schemas that are only tried on a value, such as those of `anyOf`, lead to a
 * second copy without defaults: ajv would fill in the defaults of a branch before
 * it knows whether the branch applies.
 */
export const servedSchema = (dialect: Dialect, document: JsonObject, references: References): JsonObject => {
  const rewrite = (given: Json, pointer: string, copy: Copy): Json => {
    if (!isObject(given)) return given
    const schema = keywordsRead(dialect, given)
    const target = references.get(pointer)
    const step: Step = { cost: costOf(schema), isTrial: copy === "trial" }
    return {
      [stepKeyword]: step,
      ...(hasUnevaluated(schema) ? { [placeKeyword]: copyOf(pointer, copy) } : {}),
      ...(target === undefined ? {} : { $ref: fragmentOf(copyOf(target, copy)) }),
      ...Object.fromEntries(
        Object.entries(schema).flatMap(([keyword, value]) => {
          if (keyword === "default" && copy === "trial") return []
          const role = dialect.keywords.get(keyword)
          if (role === "assertion") return [assertionOf(keyword, value)]
          if (role !== "schema" && role !== "schemas") return []
          const inner = trialKeywords.has(keyword) ? "trial" : copy
          const rewritten = new Map(
            subschemasOf(dialect, keyword, value, pointer).map(([path, subschema]) => [
              path,
              rewrite(subschema, path, inner)
            ])
          )
          const served = replaced(value, memberOf(pointer, keyword), rewritten)
          return keyword === "dependencies" ? dependenciesOf(served) : [[keyword, served]]
        })
      )
    }
  }
  const served = rewrite(document, "", "main")
  return { ...(isObject(served) ? served : {}), [trialKeyword]: rewrite(document, "", "trial") }
}

const hasUnevaluated = (schema: JsonObject): boolean =>
  "unevaluatedItems" in schema || "unevaluatedProperties" in schema

type Served = readonly [keyword: string, value: Json]

const isStructured = (json: Json): boolean => isArray(json) || isObject(json)

const assertionOf = (keyword: string, value: Json): Served => {
  if (keyword === "const" && isStructured(value)) return [equalKeyword, { keyword, values: [value] }]
  if (keyword === "enum" && isArray(value) && (value.length === 0 || value.some(isStructured))) {
    return [equalKeyword, { keyword, values: value }]
  }
  return keyword === "dependentRequired" ? [dependentKeyword, { keyword, names: value }] : [keyword, value]
}

/** Draft 07 has lists of names and schemas under one keyword. */
const dependenciesOf = (value: Json): ReadonlyArray<Served> => {
  const entries = Object.entries(isObject(value) ? value : {})
  const names = Object.fromEntries(entries.filter(([, each]) => isArray(each)))
  const schemas = Object.fromEntries(entries.filter(([, each]) => !isArray(each)))
  return [
    [dependentKeyword, { keyword: "dependencies", names }],
    ["dependencies", schemas]
  ]
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

const copyOf = (pointer: string, copy: Copy): string =>
  copy === "trial" ? `${memberOf("", trialKeyword)}${pointer}` : pointer

/** A pointer as the fragment of a reference. */
export const fragmentOf = (pointer: string): string =>
  `#${pointer.split("/").map(encodeURIComponent).join("/")}`

/** The pointer in such a reference. */
export const pointerIn = (reference: string): string => decodeURIComponent(reference.slice(1))
