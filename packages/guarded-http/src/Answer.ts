/** How a request ended: with an answer, or with what went wrong on the way. */

/**
 * How far a request came. `policy`: its URL or address may not be called.
 * `request`: it is being sent. `headers`: it is sent, and no answer has begun.
 * `done`: the answer was read, or cut where it grew too long.
 */
export type Phase = "policy" | "dns" | "connect" | "request" | "headers" | "body" | "done"

/**
 * Milliseconds of each part, the part in which the request ended included. Null
 * for a part it did not come to or did not need: a connection kept from an
 * earlier request took neither `dns` nor `connect` nor `tls`.
 */
export interface Timings {
  /** Finding the addresses of the host. */
  readonly dns: number | null
  /** Connecting to one of the addresses, by way of a proxy if there is one. */
  readonly connect: number | null
  readonly tls: number | null
  /** Sending the request and waiting for the headers of the answer. */
  readonly headers: number | null
  /** Reading the body of the answer. */
  readonly body: number | null
}

export interface Answer {
  readonly phase: Phase
  /** The address that answered, or was dialled last; null if none was. */
  readonly remoteAddress: string | null
  /** As they were sent; empty when nothing was. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly timings: Timings
  /** Null when no answer began. */
  readonly status: number | null
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body is longer than what was read of it. */
  readonly isTruncated: boolean
  /** What went wrong, in words for the owner of the receiver; null when the answer was read, whatever its status. */
  readonly error: string | null
  /** The same for programs: a code of the system, of TLS or of undici, or the name of a failure of this package. */
  readonly code: string | null
}

/** Of a request that was not made. */
export const noTimings: Timings = { dns: null, connect: null, tls: null, headers: null, body: null }
