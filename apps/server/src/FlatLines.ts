/**
 * A log for machines: a JSON object a line, with nothing inside of another, so
 * that whoever searches it asks for `status` and not for a path. Names are in
 * snake case, and stay.
 */
import * as Cause from "effect/Cause"
import * as Formatter from "effect/Formatter"
import * as Logger from "effect/Logger"
import * as References from "effect/References"

/** What a line says beside the fields that its writer gives. */
const standing = new Set(["timestamp", "level", "message", "error", "stack"])

export const flatLines: Logger.Logger<unknown, string> = Logger.make(
  ({ cause, date, fiber, logLevel, message }) => {
    const parts = Array.isArray(message) ? message : [message]
    const fields = parts.filter((part) => typeof part === "object" && part !== null)
    const words = parts.filter((part) => !fields.includes(part)).map(String)
    const line = new Map<string, unknown>([
      ["timestamp", date.toISOString()],
      ["level", logLevel.toLowerCase()],
      ["message", words.join(" ")]
    ])
    for (const field of fields) put(line, "", field)
    put(line, "", fiber.getRef(References.CurrentLogAnnotations))
    for (const error of Cause.prettyErrors(cause).slice(0, 1)) putError(line, error, Cause.pretty(cause))
    return Formatter.formatJson(Object.fromEntries(line))
  }
)

/** Fields of an object become fields of the line, those of an object within under both names. */
const put = (line: Map<string, unknown>, name: string, value: unknown): void => {
  if (value instanceof Error) putError(line, value, value.stack)
  else if (Array.isArray(value)) line.set(freeOf(name), Formatter.formatJson(value))
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) put(line, name === "" ? key : `${name}_${key}`, inner)
  } else if (value !== undefined) line.set(freeOf(name), value)
}

const putError = (line: Map<string, unknown>, error: Error, stack: string | undefined): void => {
  line.set("error", `${error.name}: ${error.message}`)
  if (stack !== undefined) line.set("stack", stack)
}

/** What has a form of its own, such as an instant or a secret that is blacked out, is a value. */
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

const freeOf = (name: string): string => {
  const snake = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase()
  return standing.has(snake) ? `field_${snake}` : snake
}
