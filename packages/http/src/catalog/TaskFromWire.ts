/** What operators say about tasks, from the wire to the domain. */
import type { NewRetryPolicy } from "@runhook/contract/executions/RetryWire"
import type {
  NewTaskBody,
  NewVersionBody,
  Platform as PlatformWire,
  TaskChangeBody
} from "@runhook/contract/catalog/TaskWire"
import type { Platform, Task } from "@runhook/core/catalog/Task"
import { retryBackoffDefault } from "@runhook/core/executions/RetryBackoff"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { TaskChange } from "@runhook/core/catalog/TaskStore"
import type { NewVersion } from "@runhook/core/catalog/Tasks"

/** By default a task may run for ever, once. */
export const newTask = (accountId: AccountId, { slug, ...body }: typeof NewTaskBody.Type) =>
  ({
    accountId,
    slug,
    name: body.name,
    description: "",
    platforms: [],
    timeoutSeconds: null,
    maxAttempts: 1,
    ...taskChange(body)
  }) satisfies Partial<Task>

/** Only the given fields. */
export const taskChange = (body: typeof TaskChangeBody.Type): TaskChange => {
  const { platforms, retry, timeout_seconds, ...same } = body
  return {
    ...same,
    ...(platforms === undefined ? {} : { platforms: platforms.map(platform) }),
    ...(retry === undefined ? {} : retryPolicy(retry)),
    ...(timeout_seconds === undefined ? {} : { timeoutSeconds: timeout_seconds })
  }
}

/** A policy is set as a whole: missing fields get the defaults of new tasks. */
const retryPolicy = (retry: typeof NewRetryPolicy.Type): Pick<Task, "maxAttempts" | "retryBackoff"> => ({
  maxAttempts: retry.max_attempts,
  retryBackoff: {
    initialSeconds: retry.initial_seconds ?? retryBackoffDefault.initialSeconds,
    factor: retry.factor ?? retryBackoffDefault.factor,
    maxSeconds: retry.max_seconds ?? Math.max(retryBackoffDefault.maxSeconds, retry.initial_seconds ?? 0),
    jitter: retry.jitter ?? retryBackoffDefault.jitter
  }
})

export const newVersion = (body: typeof NewVersionBody.Type): NewVersion => ({
  paramsSchema: body.params_schema,
  resultSchema: body.result_schema ?? null,
  tags: body.tags ?? [],
  makeCurrent: body.make_current ?? true
})

const platform = ({ handler, name, platform_id }: typeof PlatformWire.Type): Platform => ({
  platformId: platform_id,
  name,
  handler
})
