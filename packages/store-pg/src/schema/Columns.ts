/** The columns of a table, as the statement says that makes it. */
import { schema } from "./Schema.ts"

const making = (table: string): string =>
  schema.find((text) => text.startsWith(`CREATE TABLE ${table} `)) ?? ""

/** Their types, by name. */
export const typesOf = (table: string): ReadonlyMap<string, string> => {
  const columns = making(table).matchAll(/^ +([a-z]\w*) ([a-z]\w*(?:\[\])?)/gm)
  return new Map([...columns].map(([, name = "", type = ""]) => [name, type]))
}

/** The columns of the primary key of a table, but for its bucket. */
export const keyOf = (table: string): ReadonlyArray<string> => {
  const [, ofSeveral, alone = ""] =
    /PRIMARY KEY \(bucket, (.+)\)|(\w+) uuid PRIMARY KEY/.exec(making(table)) ?? []
  return ofSeveral?.split(", ") ?? [alone]
}
