/** Executions that have ended, with something of everything that an execution may have. */
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import type { Execution } from "@runhook/core/executions/Execution"
import * as Effect from "effect/Effect"
import { finalizeMs, newArtifact } from "../artifacts/ArtifactStoreSuite.ts"
import { attemptOf, claimAll } from "../deliveries/DeliveryFixtures.ts"
import { callbackUrl, newExecution, second, type Tenant, unlimited } from "../Fixtures.ts"
import { claimUpTo, lease, makeSession, writeTo } from "../runs/RunFixtures.ts"

/** A key of the execution alone. */
const keyOf = ({ id }: Execution) => ({
  key: `key of ${id}`,
  fingerprint: "1:aa",
  expiresAt: second(1_000_000)
})

/** What made it once, and may make another. */
export const createAgain = Effect.fnUntraced(function* (execution: Execution, tenant: Tenant) {
  const executions = yield* ExecutionStore
  const again = yield* newExecution(tenant)
  return yield* executions.create({ ...unlimited, execution: again, idempotency: keyOf(execution) })
})

/**
 * Was created at second 0 under an idempotency key, reported on, captured 100
 * bytes, and was completed at second 5. Its three callbacks are pending.
 */
export const makeEndedExecution = Effect.fnUntraced(function* (
  tenant: Tenant,
  fields: Partial<Execution> = {}
) {
  const runs = yield* RunStore
  const executions = yield* ExecutionStore
  const execution = yield* newExecution(tenant, { callbackUrl, ...fields })
  yield* executions.create({ ...unlimited, execution, idempotency: keyOf(execution) })
  const session = yield* makeSession(tenant)
  const { claims } = yield* claimUpTo(session, { limit: 100, at: second(1) })
  const claimed = claims.find(({ run }) => run.execution.id === execution.id)
  if (claimed === undefined) return yield* Effect.die(new Error(`${execution.id} was not claimed`))
  const { run } = yield* runs.start({ ...writeTo(claimed.run, second(2)), lease })
  const report = { executionId: execution.id, epoch: run.execution.epoch }
  yield* HistoryStore.use((history) =>
    history.report({
      accountId: tenant.accountId,
      sessionId: session.id,
      reports: [{ ...report, percent: 50, message: "half", step: null }],
      at: second(3)
    })
  )
  yield* ArtifactStore.use(
    Effect.fnUntraced(function* (artifacts) {
      const artifact = yield* newArtifact(run, { sizeBytes: 100 })
      yield* artifacts.register({ artifact, finalizeMs, quotaBytes: null, at: second(3) })
    })
  )
  const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const
  const ended = yield* runs.finish({ ...writeTo(run, second(5)), outcome, fingerprint: "one" })
  return ended.run.execution
}, Effect.orDie)

/** Settles all callbacks of the tenant that are due by second 6: the last of each claim in that way, and the others delivered. */
export const settleCallbacks = Effect.fnUntraced(function* (tenant: Tenant, last: "Dead" | "Delivered") {
  const store = yield* DeliveryStore
  const { accountId } = tenant
  for (;;) {
    const claimed = yield* claimAll(tenant, { at: second(6) })
    if (claimed.length === 0) return
    yield* store.settle(
      claimed.map((each) => ({
        accountId,
        attempt: attemptOf(each),
        verdict: { _tag: each.type === "execution.completed" ? last : "Delivered" }
      })),
      second(6)
    )
  }
})
