/** The differences between two states of a thing. */
import type { JsonObject } from "../json/Json.ts"
import { canonicalJson } from "../json/JsonText.ts"

/** The fields that differ, as they were and as they are; undefined if none does. */
export const differenceOf = (
  before: JsonObject,
  after: JsonObject
): { readonly before: JsonObject; readonly after: JsonObject } | undefined => {
  const names = Object.keys(after).filter(
    (name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null)
  )
  if (names.length === 0) return undefined
  const only = (state: JsonObject): JsonObject =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: only(before), after: only(after) }
}
