/** What callers with a key and members of an account do with jobs that cancel executions. */
import type { cancellingHeaders } from "@runhook/contract/cancels/CancelEndpoints"
import {
  AdminAcceptedCancelFilter,
  type AdminCancelManyBody,
  AdminJobDetail,
  type CancelManyBody
} from "@runhook/contract/cancels/CancelJobWire"
import type { CancelFilter, CancelJob, CancelRequest } from "@runhook/core/cancels/CancelJob"
import type { JobId } from "@runhook/core/shared/Ids"
import type { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { Cancels } from "@runhook/core/cancels/Cancels"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { filterOf } from "../executions/ExecutionFilters.ts"
import { showing } from "../shared/Names.ts"
import type { Audience, Headed, Of, OfOne } from "../shared/Audience.ts"

type Body = typeof AdminCancelManyBody.Type | typeof CancelManyBody.Type

type OfJob<Path> = OfOne<Path, JobId>

const acceptedFilter = showing(AdminAcceptedCancelFilter)<CancelFilter>({
  status: ({ statuses }) => statuses
})

const jobDetail = showing(AdminJobDetail)<CancelJob>({
  job_id: ({ id }) => id,
  filter: ({ filter }) => acceptedFilter(filter)
})

/** Whose jobs they are, and what becomes of what they cancel. */
interface CancelAudience<Path, R> extends Audience<Path, never, R> {
  readonly stopsAs: CancelRequest["endsAs"]
}

export const cancelHandlers = Effect.fnUntraced(function* <Path, R>(who: CancelAudience<Path, R>) {
  const cancels = yield* Cancels

  const refOf = (params: OfJob<Path>["params"], capability: Capability) =>
    Effect.map(who.ownerOf(params, capability), (owner) => ({ ...owner, id: params.id }))

  return {
    cancelAll: Effect.fnUntraced(function* ({
      headers,
      params,
      payload: { dry_run, filter, reason }
    }: Headed<typeof cancellingHeaders> & Of<Path> & { readonly payload: Body }) {
      const asked = {
        ...(yield* who.ownerOf(params, "executions:write")),
        endsAs: who.stopsAs,
        idempotencyKey: headers["idempotency-key"] ?? null,
        reason: reason ?? null,
        filter: filterOf(filter)
      }
      if (dry_run === true)
        return { job_id: null, matched: yield* cancels.preview(asked), dry_run: true } as const
      yield* who.changing(asked.accountId)
      const { isDuplicate, job } = yield* cancels.begin(asked)
      const begun = { job_id: job.id, matched: job.matched }
      return isDuplicate ? ({ ...begun, idempotent_replay: true } as const) : begun
    }, toApiError),

    job: Effect.fnUntraced(function* ({ params }: OfJob<Path>) {
      return jobDetail(yield* cancels.get(yield* refOf(params, "executions:read")))
    }, toApiError),

    cancelJob: Effect.fnUntraced(function* ({ params }: OfJob<Path>) {
      return jobDetail(yield* cancels.cancel(yield* refOf(params, "executions:write")))
    }, toApiError)
  }
})
