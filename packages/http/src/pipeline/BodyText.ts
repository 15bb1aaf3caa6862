/** The text of a body. Bytes that are no UTF-8 are refused: a replacement for them would be stored as if it was sent. */
import * as Result from "effect/Result"
import type { FieldIssue } from "../errors/SchemaIssues.ts"

const strict = new TextDecoder("utf-8", { fatal: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })
const encoder = new TextEncoder()

/** What a lenient decoder makes of bytes that are no UTF-8, and of these three. */
const replacement = "\uFFFD"
const replacementBytes = encoder.encode(replacement)

export const bodyText = (bytes: ArrayBuffer): Result.Result<string, FieldIssue> => {
  try {
    return Result.succeed(strict.decode(bytes))
  } catch {
    const message = `must be UTF-8, which it is not at byte ${firstFault(new Uint8Array(bytes))}`
    return Result.fail({ path: ["body"], message })
  }
}

/** The place of the first byte that is no UTF-8, counted from 0. */
const firstFault = (bytes: Uint8Array): number => {
  let place = 0
  const [first = "", ...others] = lenient.decode(bytes).split(replacement)
  place += encoder.encode(first).length
  for (const text of others) {
    const isSent = replacementBytes.every((byte, index) => bytes[place + index] === byte)
    if (!isSent) return place
    place += replacementBytes.length + encoder.encode(text).length
  }
  return place
}
