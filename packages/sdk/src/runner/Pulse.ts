/** The heart of a runner: in a thread of its own, or beside the work where that cannot be. */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Clock } from "../call/Clock.ts"
import { type CallsOptions, makeCalls } from "./Calls.ts"
import { Heart, type Order } from "./Heart.ts"
import { messageOf } from "./Outcome.ts"
import type { News } from "../wire/Runner.ts"

export interface PulseOptions {
  readonly address: CallsOptions
  readonly clock: Clock
  readonly tell: (news: News) => void
  /** What a new heart needs to be told. */
  readonly orders: () => ReadonlyArray<Order>
  /** Takes why there is no thread. */
  readonly onFallback: (reason: string) => void
}

export interface Pulse {
  take(order: Order): void
  stop(): Promise<void>
}

/** `.ts` in the workspace, `.js` in the package. */
const threadUrl = new URL(`./HeartThread${extname(import.meta.url)}`, import.meta.url)

export const startPulse = (options: PulseOptions): Pulse => {
  const { address, onFallback, orders, tell } = options
  // A caller's own fetch cannot be handed to a thread.
  if (address.fetch !== undefined) return besideTheWork(options)

  const { apiKey, baseUrl } = address
  const thread = new Worker(threadUrl, { execArgv: [], name: "heart", workerData: { apiKey, baseUrl } })
  let fallback: Pulse | undefined
  thread.unref()
  thread.on("message", tell)
  thread.on("error", (cause: unknown) => {
    fallback = besideTheWork(options)
    for (const order of orders()) fallback.take(order)
    onFallback(messageOf(cause))
  })
  return {
    take: (order) => (fallback === undefined ? thread.postMessage(order, []) : fallback.take(order)),
    stop: async () => {
      await fallback?.stop()
      await thread.terminate()
    }
  }
}

const besideTheWork = ({ address, clock, tell }: PulseOptions): Pulse => {
  const heart = new Heart({ beat: makeCalls(address, clock).heartbeat, clock, tell })
  return {
    take: (order) => heart.take(order),
    stop: async () => heart.stop()
  }
}
