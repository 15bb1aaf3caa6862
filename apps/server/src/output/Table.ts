/** Answers of the API as people read them. */

export interface Shown {
  /** In milliseconds: times are said relative to it. */
  readonly now: number
  /** Of the terminal, in characters. */
  readonly width: number
}

/** A narrower column says nothing. */
const widthMin = 8

/** One line for each item, as wide as the terminal at most unless that is too narrow for its ids. */
export const tableOf = (
  items: ReadonlyArray<unknown>,
  columns: ReadonlyArray<string>,
  shown: Shown
): string => {
  const headings = columns.map((path) =>
    wordsOf(path).replace(/_at$/, "").replaceAll(/[_.]/g, " ").toUpperCase()
  )
  const lines = [headings, ...items.map((item) => columns.map((path) => cellOf(fieldAt(item, path), shown)))]
  const widths = columns.map((_, place) => Math.max(...lines.map((cells) => (cells[place] ?? "").length)))
  const room = shown.width - 2 * (columns.length - 1)
  const sum = () => widths.reduce((total, width) => total + width, 0)
  // An id is there to be copied.
  const canShrink = columns.map((path) => !/(?:^|[._])id$/.test(path))
  while (sum() > room) {
    const widest = Math.max(...widths.filter((_, place) => canShrink[place]))
    if (widest <= widthMin) break
    widths[widths.findIndex((width, place) => canShrink[place] && width === widest)] = widest - 1
  }
  const padded = (text: string, width = 0) =>
    text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)
  return lines
    .map((cells) =>
      cells
        .map((text, place) => padded(text, widths[place]))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** One line for each field of an answer, then a table for each list of objects in it. */
export const factsIn = (answer: unknown, shown: Shown): string => {
  const facts = flat(answer, "")
    .filter(([name]) => name !== "request_id")
    .map(([name, value]) => [wordsOf(name), value] as const)
  const single = facts.filter(([, value]) => !isTable(value))
  const width = Math.max(...single.map(([name]) => name.length))
  const lines = single.map(([name, value]) => `${name.padEnd(width)}  ${factOf(value, shown)}`)
  const tables = facts.flatMap(([name, value]) => {
    if (!isTable(value)) return []
    const columns = [...new Set(value.flatMap((each) => flat(each, "").map(([path]) => path)))]
    return [`\n${name}\n${tableOf(value, columns, shown)}`]
  })
  return [...lines, ...tables].join("\n")
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is ReadonlyArray<object> =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Objects within objects become paths, unless they are empty or hold further ones. */
const flat = (value: unknown, path: string): ReadonlyArray<readonly [path: string, value: unknown]> => {
  if (!isObject(value)) return [[path, value]]
  const entries = Object.entries(value)
  const isDeep = path !== "" && entries.some(([, each]) => typeof each === "object" && each !== null)
  if (entries.length === 0 || isDeep) return [[path, value]]
  return entries.flatMap(([name, each]) => flat(each, path === "" ? name : `${path}.${name}`))
}

const fieldAt = (item: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        isObject(value) ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined,
      item
    )

/** For one line of a table. */
const cellOf = (value: unknown, { now }: Shown): string =>
  isTime(value) ? relativeTo(now, Date.parse(value)) : wordsOf(value)

const factOf = (value: unknown, { now }: Shown): string =>
  isTime(value) ? `${value} (${relativeTo(now, Date.parse(value))})` : wordsOf(value)

const wordsOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value) && !value.some(isObject)) return value.map(wordsOf).join(", ") || "none"
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  // Names are made by others: none of them may speak to the terminal.
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
}

const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value)

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1]
] as const

/** Such as `3m ago` or `in 2h`. */
const relativeTo = (now: number, at: number): string => {
  const seconds = Math.round((at - now) / 1_000)
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? units[3]
  return new Intl.RelativeTimeFormat("en", { style: "narrow" }).format(Math.trunc(seconds / size), unit)
}
