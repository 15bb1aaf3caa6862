/** The columns of a table and their types, by name, as the statement says that makes it. */
import { schema } from "./Schema.ts"

export const typesOf = (table: string): ReadonlyMap<string, string> => {
  const made = schema.find((text) => text.startsWith(`CREATE TABLE ${table} `)) ?? ""
  const columns = made.matchAll(/^ +([a-z]\w*) ([a-z]\w*(?:\[\])?)/gm)
  return new Map([...columns].map(([, name = "", type = ""]) => [name, type]))
}
