/** JSON of whatever form: what kind of value it is, and what a text holds. */
import type { Json } from "@runhook/sdk/admin"

export type JsonMembers = { readonly [name: string]: Json }

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

export const isMembers = (value: Json | undefined): value is JsonMembers =>
  typeof value === "object" && value !== null && !isList(value)

/** The value of a text; undefined if it is not JSON. */
export const jsonIn = (text: string | null | undefined): Json | undefined => {
  try {
    const value: Json = JSON.parse(text ?? "")
    return value
  } catch {
    return undefined
  }
}

/** The same text for the same value, in whichever order its members are. */
export const sameJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each
  )
