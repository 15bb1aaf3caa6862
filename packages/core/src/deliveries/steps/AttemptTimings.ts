/** How long the parts of a delivery attempt took. */
import * as Schema from "effect/Schema"

const Millis = Schema.NullOr(Schema.Int)

/**
 * In milliseconds, including the part in which the attempt failed. Null for a part
 * that it did not reach or did not need: a kept connection takes no `dns`,
 * `connect` or `tls`.
 */
export const AttemptTimings = Schema.Struct({
  /** Finding the addresses of the host. */
  dns: Millis,
  /** Connecting to the address that answered, through a proxy if there is one. */
  connect: Millis,
  tls: Millis,
  /** Sending the request and waiting for the headers of the answer. */
  headers: Millis,
  /** Reading the body of the answer. */
  body: Millis
})
export type AttemptTimings = typeof AttemptTimings.Type

/** Of an attempt that was never made. */
export const noTimings: AttemptTimings = { dns: null, connect: null, tls: null, headers: null, body: null }
