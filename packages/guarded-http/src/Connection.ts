/** What is known of one connection: recorded while it is made, and read by the requests that use it. */
import type { Socket } from "node:net"
import type * as Clock from "effect/Clock"
import { ReadAllowance } from "./ReadAllowance.ts"
import { Stopwatch } from "./Stopwatch.ts"

export class Connection {
  readonly stopwatch: Stopwatch<"dns" | "connect" | "tls">
  /** The address that was dialled last; null until one was. */
  address: string | null = null
  /** Requests that were begun on it. */
  requests = 0
  /** What may still be read of it. */
  readonly allowance = new ReadAllowance()
  #socket: Socket | null = null

  constructor(clock: Clock.Clock) {
    this.stopwatch = new Stopwatch(clock)
  }

  opened(socket: Socket): void {
    this.#socket = socket
    this.allowance.guard(socket)
  }

  /** Bytes of all answers that came over it. */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0
  }
}
