/** What a document must satisfy, beyond its metaschema, to be served. */
import type { Json } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type Dialect, dialectOf, inPlaceKeywords } from "./Dialect.ts"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import * as LinearPattern from "./LinearPattern.ts"
import type { References } from "./References.ts"
import * as SchemaBounds from "./SchemaBounds.ts"
import { type SchemaNode, subschemasOf } from "./SchemaTree.ts"

/** The largest programs of all patterns of a document together, in RE2 instructions. */
const programsMax = 20_000

/** A part of a document is read as the whole is. */
const otherDraft = (dialect: Dialect, { pointer, schema }: SchemaNode): ReadonlyArray<SchemaIssue> =>
  isObject(schema) && "$schema" in schema && dialectOf(schema) !== dialect
    ? [
        {
          path: memberOf(pointer, "$schema"),
          keyword: "$schema",
          message: "is not the draft of the document"
        }
      ]
    : []

const patternsOf = ({
  pointer,
  schema
}: SchemaNode): ReadonlyArray<readonly [path: string, pattern: string]> => {
  if (!isObject(schema)) return []
  const { pattern, patternProperties } = schema
  const path = memberOf(pointer, "patternProperties")
  return [
    ...(typeof pattern === "string" ? [[memberOf(pointer, "pattern"), pattern] as const] : []),
    ...(isObject(patternProperties)
      ? Object.keys(patternProperties).map((name) => [memberOf(path, name), name] as const)
      : [])
  ]
}

/** The first pattern that cannot be served. The others are not compiled, which bounds the work of the check. */
const patternIssue = (nodes: ReadonlyArray<SchemaNode>): SchemaIssue | undefined => {
  let programs = 0
  for (const [path, pattern] of nodes.flatMap(patternsOf)) {
    const compiled = LinearPattern.compile(pattern)
    if (Result.isFailure(compiled)) return { path, keyword: "pattern", message: compiled.failure }
    programs += compiled.success.program
    if (programs > programsMax)
      return { path, keyword: "pattern", message: "makes the patterns too large together" }
  }
  return undefined
}

/** Why the drafts, sizes and patterns of a document cannot be served. */
export const issuesOf = (dialect: Dialect, nodes: ReadonlyArray<SchemaNode>): ReadonlyArray<SchemaIssue> => {
  const tooLarge = SchemaBounds.issuesOf(nodes)
  if (tooLarge.length > 0) return tooLarge
  const pattern = patternIssue(nodes)
  return [...nodes.flatMap((node) => otherDraft(dialect, node)), ...(pattern === undefined ? [] : [pattern])]
}

/** A schema that applies itself again to the same value, and so never ends. */
export const findLoop = (
  dialect: Dialect,
  nodes: ReadonlyArray<SchemaNode>,
  references: References
): Option.Option<string> => {
  const schemas = new Map(nodes.map(({ pointer, schema }) => [pointer, schema]))
  const appliedBy = (pointer: string): ReadonlyArray<string> => {
    const schema = schemas.get(pointer)
    const target = references.get(pointer)
    const inside = Object.entries(isObject(schema) ? schema : {})
      .filter(([keyword]) => inPlaceKeywords.has(keyword))
      .flatMap(([keyword, value]) => subschemasOf(dialect, keyword, value, pointer))
      .map(([path]) => path)
    return target === undefined ? inside : [target, ...inside]
  }
  const open = new Set<string>()
  const ended = new Set<string>()
  const loops = (pointer: string): boolean => {
    if (ended.has(pointer)) return false
    if (open.has(pointer)) return true
    open.add(pointer)
    if (appliedBy(pointer).some(loops)) return true
    open.delete(pointer)
    ended.add(pointer)
    return false
  }
  return Option.fromUndefinedOr(nodes.find(({ pointer }) => loops(pointer))?.pointer)
}

/** Whether the root's types allow an object. The references must be free of loops. */
export const acceptsObjects = (nodes: ReadonlyArray<SchemaNode>, references: References): boolean => {
  const schemas = new Map(nodes.map(({ pointer, schema }) => [pointer, schema]))
  const known = new Map<string, boolean>()
  const accepts = (pointer: string): boolean => {
    const verdict = known.get(pointer) ?? decide(pointer, schemas.get(pointer))
    known.set(pointer, verdict)
    return verdict
  }
  const decide = (pointer: string, schema: Json | undefined): boolean => {
    if (!isObject(schema)) return schema !== false
    const { type, const: only, enum: listed, allOf, anyOf, oneOf } = schema
    const target = references.get(pointer)
    const member = (keyword: string) => (_: Json, index: number) =>
      accepts(memberOf(memberOf(pointer, keyword), index))
    return (
      (type === undefined || type === "object" || (isArray(type) && type.includes("object"))) &&
      (only === undefined || isObject(only)) &&
      (!isArray(listed) || listed.some(isObject)) &&
      (target === undefined || accepts(target)) &&
      (!isArray(allOf) || allOf.every(member("allOf"))) &&
      (!isArray(anyOf) || anyOf.some(member("anyOf"))) &&
      (!isArray(oneOf) || oneOf.some(member("oneOf")))
    )
  }
  return accepts("")
}
