/**
 * Which members of a value are evaluated by the schemas that apply to it, as draft 2020-12 says. Ajv's own account of
 * them is wrong for `contains`, for `if` without both branches, and for `items` in a branch.
 */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import * as Result from "effect/Result"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
import * as LinearPattern from "./LinearPattern.ts"
import type { StepBudget } from "./StepBudget.ts"

/** A served document, and the means to try a part of it on a value. */
export interface Judge {
  /** The schema at a pointer; undefined if there is none. */
  readonly schemaAt: (pointer: string) => Json | undefined
  /** The pointer that a `$ref` of the served document names. */
  readonly targetOf: (reference: string) => string
  /** Whether a value satisfies the schema at a pointer. */
  readonly holds: (pointer: string, value: Json) => boolean
  readonly budget: StepBudget
}

/** Answers the names, or the indexes as text, of the members that a schema evaluates by all its other keywords. */
export type Evaluated = (pointer: string, value: Json) => ReadonlySet<string>

export const make = ({ budget, holds, schemaAt, targetOf }: Judge): Evaluated => {
  const patterns = new Map<string, (text: string) => boolean>()
  const matches = (pattern: string, name: string): boolean => {
    const test =
      patterns.get(pattern) ??
      LinearPattern.spending(Result.getOrThrow(LinearPattern.compile(pattern)), budget).test
    patterns.set(pattern, test)
    return test(name)
  }

  const indexesIn = (schema: JsonObject, pointer: string, items: ReadonlyArray<Json>, isInner: boolean) => {
    const { contains, prefixItems, unevaluatedItems } = schema
    if ("items" in schema || (isInner && unevaluatedItems !== undefined)) return items.keys()
    const first = isArray(prefixItems) ? prefixItems.length : 0
    const at = memberOf(pointer, "contains")
    return Array.from(items.keys()).filter(
      (index) => index < first || (contains !== undefined && holds(at, items[index] ?? null))
    )
  }

  const namesIn = (schema: JsonObject, value: JsonObject, isInner: boolean) => {
    const names = Object.keys(value)
    if ("additionalProperties" in schema || (isInner && "unevaluatedProperties" in schema)) return names
    const { patternProperties, properties } = schema
    const byPattern = isObject(patternProperties) ? Object.keys(patternProperties) : []
    return names.filter(
      (name) =>
        (isObject(properties) && Object.hasOwn(properties, name)) ||
        byPattern.some((pattern) => matches(pattern, name))
    )
  }

  return (start, value) => {
    const found = new Set<string>()

    const add = (pointer: string): void => {
      const schema = schemaAt(pointer)
      if (!isObject(schema)) return
      const isInner = pointer !== start
      budget.spend(1 + Object.keys(isObject(value) ? value : []).length)
      if (isArray(value)) {
        for (const index of indexesIn(schema, pointer, value, isInner)) found.add(String(index))
      } else if (isObject(value)) {
        for (const name of namesIn(schema, value, isInner)) found.add(name)
      }
      addInPlace(schema, pointer)
    }

    const addInPlace = (schema: JsonObject, pointer: string): void => {
      const { $ref, allOf, anyOf, dependentSchemas, if: condition, oneOf } = schema
      const inside = (keyword: string) => memberOf(pointer, keyword)
      if (typeof $ref === "string") add(targetOf($ref))
      if (isArray(allOf)) for (const index of allOf.keys()) add(memberOf(inside("allOf"), index))
      for (const [keyword, branches] of [["anyOf", anyOf] as const, ["oneOf", oneOf] as const]) {
        if (!isArray(branches)) continue
        for (const index of branches.keys()) {
          const branch = memberOf(inside(keyword), index)
          if (holds(branch, value)) add(branch)
        }
      }
      if (condition !== undefined) {
        const isMet = holds(inside("if"), value)
        if (isMet) add(inside("if"))
        add(inside(isMet ? "then" : "else"))
      }
      if (isObject(dependentSchemas) && isObject(value)) {
        for (const name of Object.keys(dependentSchemas)) {
          if (Object.hasOwn(value, name)) add(memberOf(inside("dependentSchemas"), name))
        }
      }
    }

    add(start)
    return found
  }
}
