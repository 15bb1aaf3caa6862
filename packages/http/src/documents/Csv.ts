/** Comma-separated values, by RFC 4180. */

/** A line of any values. */
export const csvLine = (values: ReadonlyArray<string>): string => `${values.map(cell).join(",")}\r\n`

const cell = (value: string): string => {
  const text = isFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Text that spreadsheets would calculate instead of show, also by the full-width
 * signs of East Asian keyboards. Names are chosen by others.
 */
const isFormula = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
