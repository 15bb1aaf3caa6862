/** What a new version of a schema breaks for those who rely on the one before. Pure. */
import type { Json } from "@runhook/sdk/admin"
import { isList, isMembers } from "../../format/Json.ts"
import type { Schema } from "../../parts/form/Control.ts"

type Kind = "closed" | "removed" | "required" | "rule" | "type" | "values"

interface Finding {
  readonly path: string
  readonly kind: Kind
  readonly detail: string
}

/** Callers send params: what is narrower breaks them. */
const paramsWords: Readonly<Record<Kind, (path: string, detail: string) => string>> = {
  closed: (path) => `${path} no longer takes other fields.`,
  removed: (path) => `${path} is no longer accepted.`,
  required: (path) => `${path} is now required.`,
  rule: (path, detail) => `${path} has another rule: ${detail}.`,
  type: (path, detail) => `${path} must now be ${detail}.`,
  values: (path, detail) => `${path} no longer takes ${detail}.`
}

/** Callers read results: what is wider breaks them. */
const resultWords: typeof paramsWords = {
  closed: (path) => `${path} may now have other fields.`,
  removed: (path) => `${path} may now be there.`,
  required: (path) => `${path} may now be missing.`,
  rule: (path, detail) => `${path} has another rule: ${detail}.`,
  type: (path, detail) => `${path} was ${detail}, and may now be something else.`,
  values: (path, detail) => `${path} may now be ${detail}.`
}

export interface Schemas {
  readonly params: Json
  readonly result: Json
}

/** In sentences; empty if everything that was valid still is. */
export const breaksOf = (before: Schemas, after: Schemas): ReadonlyArray<string> => [
  ...narrowed(before.params, after.params, "params").map(({ detail, kind, path }) =>
    paramsWords[kind](path, detail)
  ),
  // A result that nothing was said about may be anything, then as now.
  ...(before.result === null
    ? []
    : narrowed(after.result ?? {}, before.result, "result").map(({ detail, kind, path }) =>
        resultWords[kind](path, detail)
      ))
]

/** Schemas are looked at to this depth, and rules beyond those below are only compared. */
const depthMax = 8

const narrowed = (wide: Json, narrow: Json, path: string, depth = 0): ReadonlyArray<Finding> => {
  if (depth > depthMax || !isMembers(narrow)) return []
  const before = isMembers(wide) ? wide : {}
  const found = (kind: Kind, detail = "", at = path): Finding => ({ path: at, kind, detail })
  const [types, now] = [typesOf(before), typesOf(narrow)]
  if (now.length > 0 && (types.length === 0 || !types.every((type) => now.includes(type))))
    return [found("type", now.join(" or "))]
  const [old, young] = [membersOf(before), membersOf(narrow)]
  const [wereNeeded, needed] = [listOf(before["required"]), listOf(narrow["required"])]
  const isClosed = narrow["additionalProperties"] === false
  const wasOpen = before["additionalProperties"] !== false
  return [
    ...needed
      .filter((name) => !wereNeeded.includes(name))
      .map((name) => found("required", "", `${path}.${String(name)}`)),
    ...Object.keys(old)
      .filter((name) => isClosed && !(name in young))
      .map((name) => found("removed", "", `${path}.${name}`)),
    ...(isClosed && wasOpen ? [found("closed")] : []),
    ...valuesOf(before, narrow).map((values) => found("values", values)),
    ...rules
      .filter((rule) => narrow[rule] !== undefined && !isSame(before[rule], narrow[rule]))
      .filter((rule) => !isLooser(rule, before[rule], narrow[rule]))
      .map((rule) => found("rule", rule)),
    ...Object.entries(young).flatMap(([name, member]) =>
      name in old || wasOpen ? narrowed(old[name] ?? {}, member, `${path}.${name}`, depth + 1) : []
    ),
    ...("items" in narrow
      ? narrowed(before["items"] ?? {}, narrow["items"] ?? {}, `${path}[]`, depth + 1)
      : [])
  ]
}

const bounds: { readonly [rule: string]: "least" | "most" } = {
  minLength: "least",
  minItems: "least",
  minimum: "least",
  exclusiveMinimum: "least",
  minProperties: "least",
  maxLength: "most",
  maxItems: "most",
  maximum: "most",
  exclusiveMaximum: "most",
  maxProperties: "most"
}

const rules = [
  ...Object.keys(bounds),
  ..."pattern format multipleOf uniqueItems allOf anyOf oneOf not if $ref patternProperties prefixItems contains propertyNames dependentRequired".split(
    " "
  )
]

const isLooser = (rule: string, before: Json | undefined, after: Json | undefined): boolean =>
  typeof before === "number" &&
  typeof after === "number" &&
  (bounds[rule] === "least" ? after <= before : bounds[rule] === "most" && after >= before)

const typesOf = ({ type }: Schema): ReadonlyArray<Json> => {
  const types = type === undefined ? [] : isList(type) ? type : [type]
  return types.includes("number") ? [...types, "integer"] : types
}

const membersOf = ({ properties }: Schema): Schema => (isMembers(properties) ? properties : {})

const listOf = (value: Json | undefined): ReadonlyArray<Json> => (isList(value) ? value : [])

/** Values that are no longer taken; `other values` if there was no list before. */
const valuesOf = (before: Schema, after: Schema): ReadonlyArray<string> => {
  const named = (of: Schema) =>
    "const" in of ? [of["const"] ?? null] : "enum" in of ? listOf(of["enum"]) : undefined
  const [old, young] = [named(before), named(after)]
  if (young === undefined) return []
  if (old === undefined) return [`values other than ${young.map((each) => JSON.stringify(each)).join(", ")}`]
  const gone = old.filter((each) => !young.some((other) => isSame(each, other)))
  return gone.length === 0 ? [] : [gone.map((each) => JSON.stringify(each)).join(", ")]
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
