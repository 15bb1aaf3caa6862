/** An account with something of each kind, which a stranger may try to reach. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { ReplayJob } from "@runhook/core/replays/ReplayJob"
import type { AccountId, ArtifactId } from "@runhook/core/shared/Ids"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import type { Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import * as Effect from "effect/Effect"
import { finalizeMs, newArtifact } from "../artifacts/ArtifactStoreSuite.ts"
import { callbackUrl, deliveriesOf, makeExecution, second, type Stores, type Tenant } from "../Fixtures.ts"
import type { CancelJob } from "@runhook/core/cancels/CancelJob"
import { makeCancelJob } from "../cancels/CancelFixtures.ts"
import { makeJob } from "../replays/ReplayFixtures.ts"
import { makeAskingRun } from "../runs/RunFixtures.ts"
import { record } from "../audit/AuditFixtures.ts"
import { madeWith, makeLink, makeSession } from "../people/PeopleFixtures.ts"
import { makeDeadDelivery } from "../deliveries/DeliveryFixtures.ts"
import { addAll, makeSum, makeUse, requestsOf } from "../usage/UsageFixtures.ts"

export interface Busy {
  readonly tenant: Tenant
  readonly run: Run
  readonly session: RunnerSession
  readonly input: InputRequest
  readonly artifactId: ArtifactId
  readonly delivery: Delivery
  readonly job: ReplayJob
  readonly cancelJob: CancelJob
  readonly member: Effect.Success<ReturnType<typeof makeMember>>
}

/** A tenant with work that waits for an answer and work that is queued, an artifact, callbacks, jobs, somebody who is signed in, and all that is counted and told of it. */
export const makeBusyTenant = Effect.fnUntraced(function* (tenant: Tenant) {
  const artifacts = yield* ArtifactStore
  yield* overseen(tenant)
  const { input, run, session } = yield* makeAskingRun(tenant, { execution: { callbackUrl } })
  yield* makeExecution(tenant)
  const { accountId, epoch, id: executionId } = run.execution
  const at = second(4)
  const artifact = yield* newArtifact(run)
  yield* Effect.orDie(artifacts.register({ artifact, finalizeMs, quotaBytes: null, at }))
  yield* Effect.orDie(artifacts.markReady({ accountId, executionId, id: artifact.id, epoch, finalizeMs, at }))
  const [delivery] = yield* deliveriesOf(run.execution)
  if (delivery === undefined) return yield* Effect.die(new Error("No callback was stored"))
  const busy: Busy = {
    tenant,
    run,
    session,
    input,
    artifactId: artifact.id,
    delivery,
    job: yield* makeJob(tenant),
    cancelJob: yield* makeCancelJob(tenant),
    member: yield* makeMember(tenant)
  }
  return busy
})

export type Attempt = (
  subject: Busy & { readonly stranger: AccountId }
) => Effect.Effect<unknown, unknown, Stores>

/** Lets somebody in, who has made a link. */
const makeMember = Effect.fnUntraced(function* ({ accountId }: Tenant) {
  const signedIn = yield* makeSession(accountId)
  return { signedIn, link: yield* makeLink(accountId, madeWith(signedIn)) }
})

/** Gives a tenant counts, a dead letter, a receiver, and entries of the audit log. */
const overseen = Effect.fnUntraced(function* (tenant: Tenant) {
  const { accountId, agentId, apiKeyId, taskId } = tenant
  yield* makeDeadDelivery(tenant)
  const created = { accountId, before: null, after: null }
  yield* record({ ...created, action: "key.created", subject: { kind: "key", id: apiKeyId, name: null } })
  yield* record({ ...created, action: "agent.created", subject: { kind: "agent", id: agentId, name: null } })
  yield* addAll({
    sums: [
      makeSum(accountId, { created: 1 }),
      makeSum(accountId, { created: 1 }, { subject: { kind: "task", id: taskId } }),
      requestsOf(tenant, 4, second(0))
    ],
    keyUses: [makeUse(tenant, second(3), "203.0.113.7")]
  })
})
