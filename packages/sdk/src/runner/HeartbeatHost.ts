/** Runs the heartbeats in their own thread, or beside the work if there cannot be one. */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Clock } from "../call/Clock.ts"
import type { News } from "../wire/Runner.ts"
import { type CallsOptions, makeCalls } from "./Calls.ts"
import { beatBy, Heartbeats, type Order } from "./Heartbeats.ts"
import { messageOf } from "./Outcome.ts"

export interface HeartbeatHostOptions {
  readonly address: CallsOptions
  readonly clock: Clock
  readonly tell: (news: News) => void
  /** The orders that new heartbeats need. */
  readonly orders: () => ReadonlyArray<Order>
  /** Called with the reason why there is no thread. */
  readonly onFallback: (reason: string) => void
}

export interface HeartbeatHost {
  take(order: Order): void
  stop(): Promise<void> | void
}

/** `.ts` in the workspace, `.js` in the package. */
const threadUrl = new URL(`./HeartbeatThread${extname(import.meta.url)}`, import.meta.url)

export const startHeartbeatHost = (options: HeartbeatHostOptions): HeartbeatHost => {
  const { address, onFallback, orders, tell } = options
  // A caller's own fetch cannot be passed to a thread.
  if (address.fetch !== undefined) return besideTheWork(options)

  const { apiKey, baseUrl } = address
  const thread = new Worker(threadUrl, { execArgv: [], name: "heartbeats", workerData: { apiKey, baseUrl } })
  let fallback: HeartbeatHost | undefined
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
      fallback?.stop()
      await thread.terminate()
    }
  }
}

const besideTheWork = ({ address, clock, tell }: HeartbeatHostOptions): HeartbeatHost =>
  new Heartbeats({ beat: beatBy(makeCalls(address, clock)), clock, tell })
