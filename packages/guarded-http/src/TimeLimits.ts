/** How long each part of a request may take. Every limit ends it in the same way: the connection is cut. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TimedOut } from "./TransportFailure.ts"

export interface TimeLimits {
  /** For the addresses of the host. Default: 2 s. */
  readonly dns: Duration.Duration
  /** For a connection and its TLS handshake, all addresses of the host together. Default: 5 s. */
  readonly connect: Duration.Duration
  /** From the start until all headers of the answer are there. Default: 12 s. */
  readonly headers: Duration.Duration
  /** From the start until the body of the answer is read. Default: 15 s. */
  readonly total: Duration.Duration
}

export const timeLimitsDefault: TimeLimits = {
  dns: Duration.seconds(2),
  connect: Duration.seconds(5),
  headers: Duration.seconds(12),
  total: Duration.seconds(15)
}

/** Ends work that takes longer than one of the limits. */
export const within = (timeLimits: TimeLimits, limit: keyof TimeLimits) =>
  Effect.timeoutOrElse({
    duration: timeLimits[limit],
    orElse: () => Effect.fail(new TimedOut({ limit }))
  })
