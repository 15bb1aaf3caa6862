/** Rows of the API as a text to save. */

/** A cell that begins like this would be a formula to a spreadsheet, and these texts are those of strangers. */
const formula = /^[=+\-@\t\r]/

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

type Row = object

/** As RFC 4180 has it: a column for each member of a row; what is nested is JSON. */
export const csvOf = (rows: ReadonlyArray<Row>): string => {
  const names = [...new Set(rows.flatMap(Object.keys))]
  const lines = rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row))
    return names.map((name) => cellOf(values.get(name))).join(",")
  })
  return [names.join(","), ...lines, ""].join("\r\n")
}

export const jsonOf = (rows: ReadonlyArray<Row>): string => `${JSON.stringify(rows, null, 2)}\n`
