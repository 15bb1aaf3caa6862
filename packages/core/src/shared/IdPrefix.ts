/** Search by the beginning of an id, as people copy it. */

/** A store may look at so many of what begins with a text, and no more: a short one fits nearly everything. */
export const foundMax = 200

/** Digits without which an id is not looked for: the first eight are a minute of its creation. */
export const digitsMin = 8

const digitsOf = (text: string): string => text.toLowerCase().replaceAll("-", "")

const isPrefix = (digits: string): boolean => digits.length >= digitsMin && /^[\da-f]{1,32}$/.test(digits)

const idOf = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

export interface IdRange {
  readonly lowest: string
  readonly highest: string
}

/** The ids that begin with a text; null if it is no beginning of one, or too short. */
export const idsFrom = (text: string): IdRange | null => {
  const digits = digitsOf(text)
  return isPrefix(digits)
    ? { lowest: idOf(digits.padEnd(32, "0")), highest: idOf(digits.padEnd(32, "f")) }
    : null
}

export const isIdFrom = (id: string, text: string): boolean => {
  const digits = digitsOf(text)
  return isPrefix(digits) && digitsOf(id).startsWith(digits)
}
