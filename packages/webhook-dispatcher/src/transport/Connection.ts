/** What there is to know of one connection: written down while it is made, and asked by the requests that use it. */
import type { Socket } from "node:net"
import type * as Clock from "effect/Clock"
import { Stopwatch } from "./Stopwatch.ts"

export class Connection {
  readonly stopwatch: Stopwatch<"dns" | "connect" | "tls">
  /** The address that was dialled last; null until one was. */
  address: string | null = null
  /** Null until it is open. */
  socket: Socket | null = null
  /** Requests that were begun on it. */
  requests = 0

  constructor(clock: Clock.Clock) {
    this.stopwatch = new Stopwatch(clock)
  }

  /** Bytes of all answers that came in over it. */
  get bytesRead(): number {
    return this.socket?.bytesRead ?? 0
  }
}
