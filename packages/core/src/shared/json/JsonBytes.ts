/** How large JSON is: the bytes of its text in UTF-8. */
import type { Json } from "./Json.ts"

/** The bytes of a text in UTF-8. */
export const textBytes = (text: string): number => Buffer.byteLength(text)

/** The bytes of a JSON value as it is stored and shown; 0 for null, which stands for a missing value. */
export const jsonBytes = (value: Json): number => (value === null ? 0 : textBytes(JSON.stringify(value)))

/** Largest params, and largest result: bytes of JSON in UTF-8. */
export const valueBytesMax = 1024 * 1024

/** The rule that params or a result with so many bytes break, or undefined. */
export const sizeRule = (bytes: number): string | undefined =>
  bytes > valueBytesMax ? `must be at most ${valueBytesMax} bytes of JSON, is ${bytes}` : undefined
