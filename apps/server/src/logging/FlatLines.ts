/**
 * A log for machines: one flat JSON object per line, so that a search asks for
 * `status` and not for a path. Names are in snake case, and stay.
 */
import * as Cause from "effect/Cause"
import * as Formatter from "effect/Formatter"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/** The fields of every line, besides those its writer gives. */
const standing = new Set(["timestamp", "level", "message", "error", "stack"])

export const flatLines: Logger.Logger<unknown, string> = Logger.make(
  ({ cause, date, fiber, logLevel, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    const fields = parts.filter((part) => typeof part === "object" && part !== null)
    const words = parts.filter((part) => !fields.includes(part)).map(String)
    const line: Line = {
      timestamp: date.toISOString(),
      level: logLevel.toLowerCase(),
      message: words.join(" ")
    }
    for (const field of fields) put(line, "", field)
    put(line, "", fiber.getRef(References.CurrentLogAnnotations))
    if (cause.reasons.length > 0) {
      for (const error of Cause.prettyErrors(cause).slice(0, 1)) putError(line, error, Cause.pretty(cause))
    }
    return textOf(line)
  }
)

type Line = Record<string, unknown>

/** Most lines hold only texts and numbers, which need no inspection. */
const textOf = (line: Line): string =>
  Object.values(line).every(isPlain) ? JSON.stringify(line) : Formatter.formatJson(line)

const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Fields of an object become fields of the line; those of an inner object get both names. */
const put = (line: Line, name: string, value: unknown): void => {
  if (value instanceof Error) putError(line, value, value.stack)
  else if (Array.isArray(value)) set(line, freeOf(name), Formatter.formatJson(value))
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) put(line, name === "" ? key : `${name}_${key}`, inner)
  } else if (value !== undefined) set(line, freeOf(name), value)
}

/** Every name is a field. An object without a prototype would ensure that too, at half of a line's time. */
const set = (line: Line, name: string, value: unknown): void => {
  if (name !== "__proto__") line[name] = value
  else Object.defineProperty(line, name, { value, enumerable: true, configurable: true })
}

const putError = (line: Line, error: Error, stack: string | undefined): void => {
  line["error"] = `${error.name}: ${error.message}`
  if (stack !== undefined) line["stack"] = stack
}

/** A value with a form of its own, such as an instant or a redacted secret, is one field. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

/** The program's field names are the same few again and again; a caller may bring others. */
const names = new Map<string, string>()
const namesMax = 1_000

const freeOf = (name: string): string => {
  const known = names.get(name)
  if (known !== undefined) return known
  const snake = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()
  const free = standing.has(snake) ? `field_${snake}` : snake
  if (names.size >= namesMax) names.clear()
  names.set(name, free)
  return free
}
