/** Where something belongs in its caller's trace: the `traceparent` of W3C Trace Context. */
import * as Tracer from "effect/Tracer"

/** Version, trace, parent, flags, and what a later version may add. Neither id is all zeros, and there is no version ff. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * The header of a request, if it is one; null for anything else, which the standard lets services ignore. Of a later
 * version it is what version 00 knows of it, so it always has 55 characters.
 */
export const traceparentIn = (header: string | undefined): string | null => {
  if (header === undefined) return null
  const [, version, traceId, spanId, flags = "", more] = form.exec(header) ?? []
  if (traceId === undefined || spanId === undefined) return null
  if (version === "00") return more === undefined ? header : null
  return traceparentOf({ traceId, spanId, sampled: isSet(flags) })
}

/** Names a span as the parent of what follows. */
export const traceparentOf = ({
  sampled,
  spanId,
  traceId
}: Pick<Tracer.AnySpan, "sampled" | "spanId" | "traceId">): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The span that a valid `traceparent` names. */
export const spanOf = (traceparent: string): Tracer.ExternalSpan =>
  Tracer.externalSpan({
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    sampled: isSet(traceparent.slice(53))
  })

const isSet = (flags: string): boolean => (Number.parseInt(flags, 16) & 1) === 1
