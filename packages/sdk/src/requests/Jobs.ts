/** Jobs, which change many things bite by bite: how to follow them and stop them. */
import type { Client, ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, pathOf } from "./Describe.ts"

/** The calls that the integration API and the admin API have in common, under the path of their kind. */
export const jobCalls = <T extends ClientTypes, Job>(client: Client<T>, root: string) => ({
  /**
   * How far the job has come.
   *
   * @example
   * ```ts
   * const { status, cancelled } = await runhook.executions.jobs.get(job_id)
   * ```
   */
  get: (id: string, options?: T["options"]) => client.call<Job>(get(root + pathOf`/${id}`, options)),

  /**
   * Stops the job; what it has done stays done. A finished one is unchanged.
   *
   * @example
   * ```ts
   * await runhook.executions.jobs.cancel(job_id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<Job>(idempotentPost(root + pathOf`/${id}/cancel`, undefined, options))
})

const waits = <T extends ClientTypes, Job extends { readonly finished_at: string | null }>(
  client: IntegrationClient<T>,
  root: string,
  kind: string
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
      look: get(root + pathOf`/${id}`, options),
      isOver: ({ finished_at }) => finished_at !== null
    })
})

export const jobs = <T extends ClientTypes, Job extends { readonly finished_at: string | null }>(
  client: IntegrationClient<T>,
  root: string,
  kind: string
): ReturnType<typeof jobCalls<T, Job>> & ReturnType<typeof waits<T, Job>> => ({
  ...jobCalls<T, Job>(client, root),
  ...waits<T, Job>(client, root, kind)
})
