/** What programs read from a JSON text in another way than it is written: some numbers, and in Node some keys. */
import { isMisreadKey } from "./JsonKey.ts"
import { type JsonIssue, misreadKeyRule } from "./JsonText.ts"

/** Every escape that stands for a backslash. No key is misread without one, and few texts have any. */
const backslash = /\\(?:\\|u005c)/i

/**
 * The keys that Node may read as others, or that make it read others as them. They are
 * found before the text is parsed, since parsing it would already teach Node the key.
 */
export const misreadKeys = (text: string): ReadonlyArray<JsonIssue> =>
  backslash.test(text) ? issuesIn(text, { ofKey: keyIssue, ofNumber: none }) : []

/** The text with nothing in place of these keys, so that what is beside them can be parsed. */
export const withoutMisreadKeys = (text: string): string =>
  text.replaceAll(tokens, (token, string?: string, colon?: string) =>
    colon === ":" && string !== undefined && isMisreadKey(keyIn(string)) ? '"":' : token
  )

/**
 * Without a match, no number is too long or too large. Most texts have none and are not scanned further, since no
 * number ends like an id of hexadecimal digits. Sixteen digits, which may have a point among them, are spelled out: V8
 * takes ten times as long for a count.
 */
const suspicious = new RegExp(`${"[\\d.]".repeat(16)}|\\d[eE]\\+?\\d{3,}\\s*(?:[,}\\]]|$)`)

/** A string with the colon that makes it a key, a structural character, or a number. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{}[\],]|-?\d[\d.eE+-]*/gs

/**
 * Integers past 2^53 - 1 lose their last digits when they are read, however they are written, and numbers past 1.8e308
 * become infinite: each is named with its place. Digits behind the point are rounded, as everywhere. A text that is not
 * JSON has no numbers.
 */
export const inexactNumbers = (text: string): ReadonlyArray<JsonIssue> => {
  if (!suspicious.test(text)) return []
  const issues = issuesIn(text, { ofKey: none, ofNumber: numberIssue })
  return issues.length > 0 && isJson(text) ? issues : []
}

/** The rule that a key or a number breaks, or undefined. */
interface Rules {
  readonly ofKey: (key: string) => string | undefined
  readonly ofNumber: (number: string) => string | undefined
}

const none = () => undefined

const issuesIn = (text: string, { ofKey, ofNumber }: Rules): ReadonlyArray<JsonIssue> => {
  const issues: Array<JsonIssue> = []
  /** The current key or index in each open object and array. */
  const places: Array<string | number> = []
  for (const [token, string, colon] of text.matchAll(tokens)) {
    const place = places.at(-1)
    if (string !== undefined) {
      if (colon !== ":") continue
      const key = keyIn(string)
      const message = ofKey(key)
      if (message !== undefined) issues.push({ path: places.slice(0, -1).map(String), message })
      places[places.length - 1] = key
    } else if (token === "{") places.push("")
    else if (token === "[") places.push(0)
    else if (token === "}" || token === "]") places.pop()
    else if (token !== ",") {
      const message = ofNumber(token)
      if (message !== undefined) issues.push({ path: places.map(String), message })
    } else if (typeof place === "number") places[places.length - 1] = place + 1
  }
  return issues
}

const keyIssue = (key: string): string | undefined => (isMisreadKey(key) ? misreadKeyRule : undefined)

const parts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

const numberIssue = (number: string): string | undefined => {
  const value = Number(number)
  if (!Number.isFinite(value)) return "must be a number below 1.8e308"
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || isRound(number)
    ? undefined
    : `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or text`
}

/** Whether a number of powers of ten, such as 6.02214076e23, is written with no more digits than are kept. */
const isRound = (number: string): boolean => {
  const { digits, exponent } = decimalOf(number)
  const kept = decimalOf(String(Number(number)))
  return exponent > 0 && digits.replace(/0+$/, "") === kept.digits.replace(/0+$/, "")
}

/** The digits of a number without its sign, and the power of ten of the last of them. */
const decimalOf = (number: string) => {
  const [, whole = "", fraction = "", exponent = "0"] = parts.exec(number) ?? []
  return { digits: (whole + fraction).replace(/^0+/, ""), exponent: Number(exponent) - fraction.length }
}

const keyIn = (string: string): string => {
  try {
    return String(JSON.parse(string))
  } catch {
    return string
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
