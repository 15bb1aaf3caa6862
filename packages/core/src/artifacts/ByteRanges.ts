/** The `Range` header of a download: which part of a file the caller asks for (RFC 9110, section 14). */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The range is beyond the end of the file: HTTP 416. */
export class RangeUnsatisfiable extends Schema.TaggedError<RangeUnsatisfiable>()("RangeUnsatisfiable", {
  sizeBytes: Schema.Int
}) {
  override get message() {
    return `The range lies outside of the file's ${this.sizeBytes} bytes`
  }
}

/**
 * The part that a `Range` header asks for, cut to the file; `null` means the whole
 * file. That is also the answer to several ranges, to units other than bytes and to
 * a malformed header: RFC 9110 lets a server ignore all of these.
 */
export const requestedRange = (
  header: string | undefined,
  sizeBytes: number
): Result.Result<ByteRange | null, RangeUnsatisfiable> => {
  const [, first, last] = oneRange.exec(header ?? "") ?? []
  if (first === undefined || last === undefined) return Result.succeed(null)
  return first === "" ? suffix(last, sizeBytes) : interval(Number(first), last, sizeBytes)
}

const oneRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i

/** `bytes=-50`: the last 50 bytes, or all when there are fewer. */
const suffix = (digits: string, sizeBytes: number) => {
  const length = Number(digits)
  if (digits === "") return Result.succeed(null)
  if (length === 0) return unsatisfiable(sizeBytes)
  // An empty file has no first byte to name, so it is answered whole, without a range.
  return Result.succeed(
    sizeBytes === 0 ? null : { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 }
  )
}

/** `bytes=0-99` and `bytes=100-`. */
const interval = (start: number, last: string, sizeBytes: number) => {
  const end = last === "" ? Infinity : Number(last)
  if (end < start) return Result.succeed(null)
  if (start >= sizeBytes) return unsatisfiable(sizeBytes)
  return Result.succeed({ start, end: Math.min(end, sizeBytes - 1) })
}

const unsatisfiable = (sizeBytes: number) => Result.fail(new RangeUnsatisfiable({ sizeBytes }))
