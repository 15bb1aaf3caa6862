/** Schemas and values as trees of JSON, and the limits that both must keep. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import * as JsonPointer from "effect/JsonPointer"

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

export const isArray = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/** The pointer to a member of the value at `pointer`. */
export const memberOf = (pointer: string, member: string | number): string =>
  `${pointer}/${JsonPointer.escapeToken(String(member))}`

/** The part at a pointer; undefined if there is none. */
export const partAt = (json: Json, pointer: string): Json | undefined =>
  pointer
    .split("/")
    .slice(1)
    .map(JsonPointer.unescapeToken)
    .reduce((part: Json | undefined, step) => {
      if (isArray(part)) return part[Number(step)]
      return isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined
    }, json)

/**
 * The first breach of the limits: at most `depthMax` levels, and no property named
 * `__proto__`, since assigning that is never safe.
 */
export const breachOf = (json: Json, depthMax: number): SchemaIssue | undefined => {
  if (!isObject(json) && !isArray(json)) return undefined
  if (depthMax === 0) return { path: "", keyword: "depth", message: "is nested too deeply" }
  // The path is put together only if there is a breach.
  const within = (member: Json | undefined, name: string | number): SchemaIssue | undefined => {
    const breach = member === undefined ? undefined : breachOf(member, depthMax - 1)
    return breach === undefined ? undefined : { ...breach, path: `${memberOf("", name)}${breach.path}` }
  }
  if (isArray(json)) {
    for (const [index, item] of json.entries()) {
      const breach = within(item, index)
      if (breach !== undefined) return breach
    }
    return undefined
  }
  for (const name of Object.keys(json)) {
    if (name === "__proto__") {
      return { path: memberOf("", name), keyword: "propertyNames", message: "has a reserved name" }
    }
    const breach = within(json[name], name)
    if (breach !== undefined) return breach
  }
  return undefined
}
