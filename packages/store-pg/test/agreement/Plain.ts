/** Answers of a store as texts that can be compared: ids by the order in which they were first seen. */
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/** Fields by their names, whatever their order. What is false or empty need not be there. */
const plain = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Duration.isDuration(value)) return `${Duration.toMillis(value)} ms`
  if (value instanceof StoredJson) return value.text
  if (value instanceof Map) return plain(Object.fromEntries(value))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value)
    .filter(([, each]) => each !== false && !(Array.isArray(each) && each.length === 0))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, each]) => [name, plain(each)]))
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Writes answers of one store. Those of another are to be written by another writer. */
export const makeWriter = () => {
  const ids = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = ids.get(id) ?? `#${ids.size + 1}`
    ids.set(id, name)
    return name
  }
  return (answer: unknown): string => JSON.stringify(plain(answer), null, 1).replaceAll(uuid, nameOf)
}
