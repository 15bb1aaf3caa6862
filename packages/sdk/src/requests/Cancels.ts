/** Stop many executions by one call. */
import type { CancelBegun, CancelRepeated, WouldCancel } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import type { CreateFields } from "./Options.ts"
import type { Request } from "./Request.ts"

export interface CancelFields<Trial extends boolean = boolean> extends CreateFields {
  /** The reason, which each of them shows. */
  readonly reason?: string | undefined
  /** Only say how many match. */
  readonly dryRun?: Trial | undefined
}

interface CancelBody<Filter> {
  readonly filter: Filter
  readonly reason?: string | undefined
  readonly dry_run?: boolean | undefined
}

export const cancels = <T extends ClientTypes, Filter>(
  client: Client<T>,
  request: <Options extends CreateFields, A>(
    body: CancelBody<Filter>,
    options?: Options
  ) => Request<A, Options>
) => ({
  /**
   * Begins to stop every execution that matches, all that are not finished if the filter is empty: those that were
   * created by now. `jobs` follows how far that has come, waits for its end, and stops it. With `dryRun` it says how
   * many match. Has an idempotency key as `create` has.
   *
   * @example
   * ```ts
   * const { job_id } = await runhook.executions.cancelAll({ status: ["queued"], task_id }, { reason: "Wrong list" })
   * const { cancelled } = await runhook.executions.jobs.waitFor(job_id)
   * ```
   */
  cancelAll: <const Trial extends boolean = false>(
    filter: Filter,
    options?: CancelFields<Trial> & T["options"]
  ) =>
    client.call<Trial extends true ? WouldCancel : CancelBegun | CancelRepeated>(
      request({ filter, reason: options?.reason, dry_run: options?.dryRun }, options)
    )
})
