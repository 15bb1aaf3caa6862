/** The fields of a struct: their types, and the columns that gofmt puts them in. */
import { commentOf } from "./Names.ts"

export interface Field {
  readonly name: string
  readonly type: string
  /** Of its JSON; undefined for what has none. */
  readonly tag?: string
  readonly description?: string | undefined
}

/** The lines of a struct. Fields without a comment stand in the columns of those before them. */
export const linesOf = (fields: ReadonlyArray<Field>): string => {
  const groups: Array<Array<Field>> = []
  for (const field of fields) {
    const last = groups.at(-1)
    if (last === undefined || field.description !== undefined) groups.push([field])
    else last.push(field)
  }
  return groups.map(linesOfGroup).join("")
}

const linesOfGroup = (group: ReadonlyArray<Field>): string => {
  const nameWidth = Math.max(...group.map(({ name }) => name.length))
  const typeWidth = Math.max(...group.map(({ type }) => type.length))
  return group
    .map(({ description, name, tag, type }) => {
      const comment = description === undefined ? "" : commentOf(description, "\t")
      const line =
        tag === undefined
          ? `${name.padEnd(nameWidth)} ${type}`
          : `${name.padEnd(nameWidth)} ${type.padEnd(typeWidth)} \`json:"${tag}"\``
      return `${comment}\t${line}\n`
    })
    .join("")
}

type Value = readonly [name: string, value: string]

/** A struct with these values, each on a line of its own, in one column up to a value of several lines. */
export const literal = (type: string, values: ReadonlyArray<Value>): string => {
  const columns: Array<Array<Value>> = [[]]
  for (const value of values) {
    if (value[1].includes("\n")) columns.push([value], [])
    else columns.at(-1)?.push(value)
  }
  return `${type}{\n${columns.map(column).join("")}\t}`
}

const column = (values: ReadonlyArray<Value>): string => {
  const width = Math.max(...values.map(([name]) => name.length)) + 1
  return values.map(([name, value]) => `\t\t${`${name}:`.padEnd(width)} ${value},\n`).join("")
}
