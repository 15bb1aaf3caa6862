/** How an account fares. */
import type { CallOptions } from "../call/Settings.ts"
import type { Overview, ReceiverList, ReceiverQuery, UsageQuery, UsageReport } from "../wire/Admin.ts"
import type { Rooted } from "./Rooted.ts"

export const makeUsage = ({ ask }: Rooted) => ({
  /** What was counted of executions, callbacks and requests, by hour or day. */
  counted: (query: UsageQuery = {}, options?: CallOptions) => ask<UsageReport>("/usage", query, options),

  /** Where callbacks go, the worst first. */
  receivers: (query: ReceiverQuery = {}, options?: CallOptions) =>
    ask<ReceiverList>("/receivers", query, options),

  /** What runs, waits and asks now. */
  overview: (options?: CallOptions) => ask<Overview>("/overview", {}, options)
})
