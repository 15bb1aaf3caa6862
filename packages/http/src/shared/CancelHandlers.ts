/** What callers with a key and members of an account do with jobs that cancel executions. */
import {
  AdminAcceptedCancelFilter,
  type AdminCancelManyBody,
  AdminJobDetail,
  type CancelManyBody
} from "@runhook/contract/wire/CancelJobWire"
import type { CancelFilter, CancelJob, CancelRequest } from "@runhook/core/domain/execution/CancelJob"
import type { JobId } from "@runhook/core/domain/Ids"
import type { Capability } from "@runhook/core/domain/keys/ApiKeyRecord"
import type { MissingCapability } from "@runhook/core/domain/Refusals"
import type { JobRef } from "@runhook/core/ports/CancelStore"
import { Cancels } from "@runhook/core/usecases/Cancels"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { filterOf } from "../wire/ExecutionFilters.ts"
import { showing } from "../wire/Names.ts"

type Body = typeof AdminCancelManyBody.Type | typeof CancelManyBody.Type

/** Whose jobs they are, and what they may cancel. */
type Owner = Pick<CancelRequest, "accountId" | "apiKeyId" | "endsAs" | "idempotencyKey" | "scope">

interface OfJob<Path> {
  readonly params: Path & { readonly id: JobId }
}

const acceptedFilter = showing(AdminAcceptedCancelFilter)<CancelFilter>({
  status: ({ statuses }) => statuses
})

const jobDetail = showing(AdminJobDetail)<CancelJob>({
  job_id: ({ id }) => id,
  filter: ({ filter }) => acceptedFilter(filter)
})

export const cancelHandlers = Effect.fnUntraced(function* <Path, R>(who: {
  /** Whose job the path means, if the caller has the capability. */
  of(path: Path, capability: Capability): Effect.Effect<Omit<JobRef, "id">, MissingCapability, R>
}) {
  const cancels = yield* Cancels

  return {
    /** `changing` is what a caller needs for more than a dry run. */
    cancelMany: Effect.fnUntraced(function* <E2, R2>(
      owner: Owner,
      { dry_run, filter, reason }: Body,
      changing: Effect.Effect<unknown, E2, R2>
    ) {
      const asked = { ...owner, reason: reason ?? null, filter: filterOf(filter) }
      if (dry_run === true)
        return { job_id: null, matched: yield* cancels.preview(asked), dry_run: true } as const
      yield* changing
      const { isDuplicate, job } = yield* cancels.begin(asked)
      const begun = { job_id: job.id, matched: job.matched }
      return isDuplicate ? ({ ...begun, idempotent_replay: true } as const) : begun
    }),

    job: Effect.fnUntraced(function* ({ params }: OfJob<Path>) {
      const owner = yield* who.of(params, "executions:read")
      return jobDetail(yield* cancels.get({ ...owner, id: params.id }))
    }, toApiError),

    cancelJob: Effect.fnUntraced(function* ({ params }: OfJob<Path>) {
      const owner = yield* who.of(params, "executions:write")
      return jobDetail(yield* cancels.cancel({ ...owner, id: params.id }))
    }, toApiError)
  }
})
