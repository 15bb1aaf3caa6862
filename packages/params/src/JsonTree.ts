/** What schemas and values have in common as trees of JSON, and the limits both must keep. */
import * as JsonPointer from "effect/JsonPointer"
import type { Json, JsonObject } from "@runhook/core/domain/Json"
import type { SchemaIssue } from "@runhook/core/ports/ParamsValidator"

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

export const isArray = (json: Json | undefined): json is ReadonlyArray<Json> => Array.isArray(json)

/** The pointer to a member of what `pointer` points to. */
export const memberOf = (pointer: string, member: string | number): string =>
  `${pointer}/${JsonPointer.escapeToken(String(member))}`

/**
 * The first breach of the limits: no more than `depthMax` levels, and no property name that every
 * JavaScript object inherits, such as `__proto__`: assigning or comparing those is never safe.
 */
export const breachOf = (json: Json, depthMax: number): SchemaIssue | undefined => {
  if (!isObject(json) && !isArray(json)) return undefined
  if (depthMax === 0) return { path: "", keyword: "depth", message: "is nested too deeply" }
  for (const [name, member] of Object.entries(json)) {
    if (name in Object.prototype) {
      return { path: memberOf("", name), keyword: "propertyNames", message: "has a reserved name" }
    }
    const breach = breachOf(member, depthMax - 1)
    // Its path is only put together when there is one.
    if (breach !== undefined) return { ...breach, path: `${memberOf("", name)}${breach.path}` }
  }
  return undefined
}
