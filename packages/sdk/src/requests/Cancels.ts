/** Stop many executions by one call. */
import type { CancelBegun, CancelRepeated, WouldCancel } from "../wire/Integration.ts"
import type { Client, ClientTypes } from "./Client.ts"
import { postOnce } from "./Describe.ts"
import type { CreateFields } from "./ExecutionWaits.ts"

export interface CancelFields<Trial extends boolean = boolean> extends CreateFields {
  /** The reason, which each of them shows. */
  readonly reason?: string | undefined
  /** Only say how many match. */
  readonly dryRun?: Trial | undefined
}

/** Where the jobs are that `cancelAll` begins. */
export const jobsRoot = "/executions/jobs"

export const cancels = <T extends ClientTypes, Filter>(client: Client<T>) => ({
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
      postOnce("/executions/cancel", { filter, reason: options?.reason, dry_run: options?.dryRun }, options)
    )
})
