/** How long the parts of a delivery attempt took. */
import * as Schema from "effect/Schema"

const Millis = Schema.NullOr(Schema.Int)

/**
 * In milliseconds, the part in which the attempt failed included. Null for a
 * part that it did not come to or did not need: a connection that was kept from
 * an earlier attempt took neither `dns` nor `connect` nor `tls`.
 */
export const AttemptTimings = Schema.Struct({
  /** Finding the addresses of the host. */
  dns: Millis,
  /** Connecting, whichever of the addresses answered, and by way of a proxy if there is one. */
  connect: Millis,
  tls: Millis,
  /** Sending the request and waiting for the headers of the answer. */
  headers: Millis,
  /** Reading the body of the answer. */
  body: Millis
})
export type AttemptTimings = typeof AttemptTimings.Type

/** Of an attempt that came to nothing. */
export const noTimings: AttemptTimings = { dns: null, connect: null, tls: null, headers: null, body: null }
