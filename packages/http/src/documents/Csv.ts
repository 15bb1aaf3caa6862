/** Comma-separated values, after RFC 4180. */

/** A line of the values, which may hold anything. */
export const csvLine = (values: ReadonlyArray<string>): string => `${values.map(cell).join(",")}\r\n`

const cell = (value: string): string => {
  const text = isFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What spreadsheets would calculate, and not show. A name may be anybody's choice. */
const isFormula = /^[=+\-@\t\r]/
