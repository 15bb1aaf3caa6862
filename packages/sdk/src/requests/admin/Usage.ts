/** Usage of an account. */
import type { Overview, ReceiverList, ReceiverQuery, UsageQuery, UsageReport } from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get } from "../Describe.ts"

export const usage = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Counts of executions, callbacks and requests, by hour or day.
   *
   * @example
   * ```ts
   * const { totals } = await account.usage.counted({ by: "day", group: "key" })
   * ```
   */
  counted: (query?: UsageQuery, options?: T["options"]) =>
    client.call<UsageReport>(get("/usage", options, query)),

  /**
   * Where callbacks go, the worst first.
   *
   * @example
   * ```ts
   * const { data } = await account.usage.receivers({ limit: 10 })
   * ```
   */
  receivers: (query?: ReceiverQuery, options?: T["options"]) =>
    client.call<ReceiverList>(get("/receivers", options, query)),

  /**
   * Current numbers of running, waiting and asking executions.
   *
   * @example
   * ```ts
   * const { running, queued } = await account.usage.overview()
   * ```
   */
  overview: (options?: T["options"]) => client.call<Overview>(get("/overview", options))
})
