/** Many executions in one request. */
import { randomName } from "../call/RandomName.ts"
import type { BatchItem, ExecutionsCreated } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { idempotentPost } from "./Describe.ts"

export const manyExecutions = <T extends ClientTypes>(client: Client<T>) => ({
  /**
   * Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of each
   * answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes nothing twice.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.createBatch([{ agent_id, task_id, params: { url }, reference: order.id }])
   * for (const { index, execution, error } of data) console.log(index, execution?.execution_id ?? error?.message)
   * ```
   */
  createBatch: (items: ReadonlyArray<BatchItem>, options?: T["options"]) =>
    client.call<ExecutionsCreated>(
      idempotentPost(
        "/executions/batch",
        { items: items.map((item) => ({ idempotency_key: randomName(), ...item })) },
        options
      )
    )
})
