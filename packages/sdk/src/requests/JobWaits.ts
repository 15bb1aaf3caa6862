/** Wait for jobs, which change many things batch by batch. */
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import type { Request } from "./Request.ts"

export const jobWaits = <T extends ClientTypes, Job extends { readonly finished_at: string | null }>(
  client: IntegrationClient<T>,
  kind: string,
  get: (id: string, options?: T["waitOptions"]) => Request<Job, T["waitOptions"]>
) => ({
  /**
   * Waits until the job is completed or stopped. The wait has no limit unless it is given one, and goes on while the
   * service is away.
   *
   * @example
   * ```ts
   * const { cancelled, skipped } = await runhook.executions.jobs.waitFor(job_id)
   * ```
   */
  waitFor: (id: string, options?: T["waitOptions"]) =>
    client.wait<Job>({
      name: `${kind} ${id}`,
      look: get(id, options),
      isOver: ({ finished_at }) => finished_at !== null
    })
})
