/** Many executions in one request. */
import { randomName } from "../call/RandomName.ts"
import type { BatchItem } from "../wire/Integration.ts"
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { idempotentPost } from "./Describe.ts"

export const manyExecutions = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of each
   * answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes nothing twice.
   * Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the time that they name.
   * What is still refused at the end of the retries or the time is answered as it is.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.createBatch([{ agent_id, task_id, params: { url }, reference: order.id }])
   * for (const { index, execution, error } of data) console.log(index, execution?.execution_id ?? error?.message)
   * ```
   */
  createBatch: (items: ReadonlyArray<BatchItem>, options?: T["options"]) =>
    client.batch({
      items: items.map((item) => ({ ...item, idempotency_key: item.idempotency_key ?? randomName() })),
      requestOf: (keyed) => idempotentPost("/executions/batch", { items: keyed }, options)
    })
})
