/** Jobs that cancel executions, which a test advances by itself. */
import { type CancelFilter, type CancelJob, newCancelJob } from "@runhook/core/cancels/CancelJob"
import type { Execution } from "@runhook/core/executions/Execution"
import { JobId } from "@runhook/core/shared/Ids"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { anyExecution, idAt, makeExecution, second, type Tenant } from "../Fixtures.ts"

/** When the jobs of the tests begin. */
export const beginning = second(100)

export const newJob = Effect.fnUntraced(function* (
  { accountId }: Pick<Tenant, "accountId">,
  filter: Partial<CancelFilter> = {},
  fields: Partial<CancelJob> = {}
) {
  return {
    ...newCancelJob({
      id: yield* idAt(JobId, beginning),
      accountId,
      apiKeyId: null,
      actor: null,
      idempotencyKey: null,
      endsAs: "aborted",
      reason: null,
      filter: { ...anyExecution, ...filter },
      scope: { taskIds: null, agentIds: null },
      matched: null
    }),
    ...fields
  }
})

/** What any test stores a job with. */
export const allowed = { limit: 10, keySince: DateTime.subtract(beginning, { days: 7 }) }

/** A job that began when every execution of the test was there. */
export const makeCancelJob = Effect.fnUntraced(function* (...asked: Parameters<typeof newJob>) {
  const job = yield* newJob(...asked)
  return (yield* CancelStore.use((store) => store.create(job, allowed))).job
})

export const refOf = ({ accountId, id }: CancelJob) => ({ accountId, apiKeyId: null, id })

export const current = (job: CancelJob) => CancelStore.use((store) => store.get(refOf(job)))

/** One more bite of the job that is due first. */
export const advance = Effect.fnUntraced(function* (
  limit: number,
  { at = second(101), seenMax = 1_000 } = {}
) {
  const store = yield* CancelStore
  const [job] = yield* store.due({ limit: 1, at })
  return job === undefined ? null : yield* store.advance(job, { limit, seenMax, at })
})

/** More bites than any test needs. */
const bitesMax = 1_000

/** The job when it is finished. */
export const finish = Effect.fnUntraced(function* (job: CancelJob) {
  for (let bite = 0; bite < bitesMax; bite++) {
    if ((yield* advance(100)) === null) return yield* current(job)
  }
  return yield* Effect.die(new Error(`The job goes on after ${bitesMax} bites`))
})

/** How many a job with that filter would cancel now. */
export const countOf = Effect.fnUntraced(function* (job: CancelJob, seenMax = 1_000) {
  return yield* (yield* CancelStore).count({ job, seenMax })
})

/** The present statuses of executions. */
export const statusesOf = (executions: ReadonlyArray<Pick<Execution, "accountId" | "id">>) =>
  Effect.forEach(executions, ({ accountId, id }) =>
    ExecutionStore.use((store) => Effect.map(store.get(accountId, id), ({ status }) => status))
  )

/** So many executions, a second apart. */
export const queuedOnes = (tenant: Tenant, count: number, fields: Partial<Execution> = {}) =>
  Effect.forEach(Array.from({ length: count }), (_, index) =>
    makeExecution(tenant, { createdAt: second(index), ...fields })
  )
