/** What is sent is JSON as it stands. What JSON would drop or change, such as a `Map`, is refused by its path. */

/** The text of a body. Throws a `TypeError` for what has no JSON. */
export const jsonText = (body: unknown): string => {
  check(body, "", [])
  return JSON.stringify(body)
}

/** The text of a parameter in a query. */
export const queryText = (name: string, value: unknown): string => {
  check(value, name, [])
  const plain: unknown = JSON.parse(JSON.stringify(value))
  if (typeof plain !== "object") return String(plain)
  throw new TypeError(`${name} must be text, a number or a boolean`)
}

const check = (value: unknown, path: string, above: ReadonlyArray<object>): void => {
  switch (typeof value) {
    case "boolean":
      return
    case "undefined":
      // A field without a value is left out; in a list it would be null.
      if (path.endsWith("]")) break
      return
    case "number":
      if (Number.isFinite(value)) return
      break
    case "string":
      if (isWhole(value)) return
      throw new TypeError(`${named(path)} has half of a character (a lone surrogate), which has no UTF-8`)
    default:
      if (value === null) return
  }
  // Dates, and whatever else says itself what it is in JSON.
  const own: unknown = Object(value).toJSON
  if (typeof own === "function") {
    const said: unknown = own.call(value, path)
    if (said !== null || !(value instanceof Date)) return check(said, path, above)
    throw new TypeError(`${named(path)} is Invalid Date, which has no JSON`)
  }
  if (typeof value !== "object" || value === null || !isPlain(value)) {
    throw new TypeError(`${named(path)} is ${wordsFor(value)}, which has no JSON`)
  }
  if (above.includes(value)) throw new TypeError(`${named(path)} contains itself, which has no JSON`)
  const within = [...above, value]
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) check(value[at], `${path}[${at}]`, within)
    return
  }
  for (const [name, each] of Object.entries(value)) {
    const inner = path === "" ? name : `${path}.${name}`
    if (!isWhole(name))
      throw new TypeError(`${named(path)} has a name with half of a character (a lone surrogate)`)
    check(each, inner, within)
  }
}

/** Halves of characters, as a text has them that was cut in two. */
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text)

/** A list or an object of no class, also of another realm. */
const isPlain = (value: object): boolean => {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const named = (path: string): string => path || "the body"

const wordsFor = (value: unknown): string => {
  if (typeof value === "object" && value !== null)
    return `a ${value.constructor?.name || "object of a class"}`
  return typeof value === "function" || typeof value === "symbol" || typeof value === "bigint"
    ? `a ${typeof value}`
    : String(value)
}
