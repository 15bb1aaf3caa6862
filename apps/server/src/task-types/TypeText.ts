/** The pieces of TypeScript that schemas are printed as. A type of several parts stands in parentheses. */

const widthMax = 100

/** In capitals, such as `InvoiceFetch` for `invoice-fetch`, and none of those that are taken. */
export const nameOf = (words: string, taken: ReadonlySet<string>): string => {
  const name = words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .replace(/^(?=\d|$)/, "Type")
  for (let number = 1; ; number++) {
    const each = number === 1 ? name : `${name}${number}`
    if (!taken.has(each)) return each
  }
}

/** One of these types. */
export const unionOf = (types: ReadonlyArray<string>): string => {
  const [only = "never", ...others] = new Set(types.filter((type) => type !== "never"))
  if (others.length === 0) return only
  const all = [only, ...others]
  if (all.includes("unknown")) return "unknown"
  const line = all.join(" | ")
  return line.length <= widthMax ? `(${line})` : `(${all.map((type) => indented(`\n| ${type}`)).join("")}\n)`
}

/** All of these types at once. */
export const intersectionOf = (types: ReadonlyArray<string>): string => {
  const [only = "unknown", ...others] = new Set(types.filter((type) => type !== "unknown"))
  return others.length === 0 ? only : `(${[only, ...others].join(" & ")})`
}

export const listOf = (type: string): string => `readonly ${part(type)}[]`

/** An element of a tuple. */
export const part = (type: string): string => (type.startsWith("readonly ") ? `(${type})` : type)

/** A type that stands alone behind this, where it needs no parentheses. */
export const behind = (text: string, type: string): string => {
  const alone = type.startsWith("(") ? type.slice(1, -1).trimEnd() : type
  return alone.startsWith("\n") ? text + alone : `${text} ${alone}`
}

/** An object with these fields, which may be comments too. */
export const objectOf = (fields: ReadonlyArray<string>): string =>
  fields.length === 0 ? "{}" : `{${fields.map((field) => indented(`\n${field}`)).join("")}\n}`

export const fieldOf = (name: string, type: string, mark: "" | "?" = ""): string => {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
  return behind(`readonly ${key}${mark}:`, type)
}

export const indented = (text: string): string => text.replaceAll("\n", "\n  ")

/** The type of one value. */
export const literalOf = (value: unknown): string => {
  if (Array.isArray(value)) return `readonly [${value.map((each) => part(literalOf(each))).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  return objectOf(Object.entries(value).map(([name, each]) => fieldOf(name, literalOf(each))))
}

/** A comment with these paragraphs, and the line break after it; nothing if there are none. */
export const commentOf = (paragraphs: ReadonlyArray<string>): string => {
  const lines = paragraphs
    .join("\n")
    .replaceAll("*/", "*\\/")
    .split(/\r\n|[\n\r\u2028\u2029]/)
  if (paragraphs.length === 0) return ""
  const [only = "", ...others] = lines
  return others.length === 0
    ? `/** ${only} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
}
