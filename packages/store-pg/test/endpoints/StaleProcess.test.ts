/** Two processes of a service: what one knows of endpoints is older than what the other has just answered. No signal tells it. */
import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/domain/execution/Execution"
import { StoredJson } from "@runhook/core/domain/json/StoredJson"
import { ApiKeyStore } from "@runhook/core/ports/ApiKeyStore"
import { EndpointStore } from "@runhook/core/ports/EndpointStore"
import { ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { makeApiKey } from "@runhook/store-testing/catalog/CatalogFixtures"
import { makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { deliveriesOf, makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { lease, makeClaimedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { heldOpen, somebodyWaits } from "../moves/HeldOpen.ts"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"

/** A process that has just found that a tenant has no endpoints, with a run that it holds; and another one. */
const twoProcesses = Effect.gen(function* () {
  const { does } = yield* makeProcess()
  const other = yield* makeProcess()
  const tenant = yield* does(makeTenant())
  const { run } = yield* does(makeClaimedRun(tenant))
  return { does, other, run, tenant }
})

describe("A process that does not know yet of an endpoint", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("tells it of every change from the answer of its create on", () =>
      Effect.gen(function* () {
        const { does, other, run, tenant } = yield* twoProcesses
        const { accountId } = tenant
        const late = yield* does(makeExecution(tenant, { scheduledAt: second(90), expiresAt: second(5) }))
        const held = yield* does(makeExecution(tenant, { status: "pending" }))
        const endpoints: Array<string> = []
        /** The same change, just after another process has answered that there is one more endpoint. */
        const afterOneMore = <A, E, R>(change: Effect.Effect<A, E, R>) =>
          Effect.gen(function* () {
            endpoints.push((yield* other.does(makeEndpoint(accountId))).id)
            return yield* change
          })
        const ref = ({ id }: Pick<Execution, "id">) => ({ accountId, id, at: second(4) })
        const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const

        const created = yield* afterOneMore(does(makeExecution(tenant)))
        yield* afterOneMore(does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))))
        const finish = { ...writeTo(run, second(3)), outcome, fingerprint: "1" }
        yield* afterOneMore(does(RunStore.use((runs) => runs.finish(finish))))
        const stop = { ...ref(created), to: "aborted", reason: null } as const
        yield* afterOneMore(does(ExecutionStore.use((store) => store.stop(stop))))
        yield* afterOneMore(does(ExecutionStore.use((store) => store.release(ref(held)))))
        // A sweep yields to whoever was quicker, and comes again.
        const sweep = SweepStore.use((store) => store.expireExecutions({ at: second(6), limit: 100 }))
        yield* afterOneMore(does(Effect.andThen(sweep, sweep)))

        const told = yield* does(
          Effect.forEach([created, run.execution, held, late], (execution) =>
            Effect.map(deliveriesOf(execution), (all) =>
              all.map(({ endpointId, type }) => `${type} ${endpoints.indexOf(endpointId ?? "")}`).toSorted()
            )
          )
        )
        const of = (type: string, count: number) =>
          Array.from({ length: count }, (_, place) => `execution.${type} ${place}`)
        assert.deepStrictEqual(told, [
          [...of("aborted", 4), ...of("queued", 1)],
          [...of("completed", 3), ...of("started", 2)],
          of("queued", 5),
          of("aborted", 6)
        ])
      })
    )

    it.effect("is told nothing more by it once it is removed, or its key may see less", () =>
      Effect.gen(function* () {
        const { does, other, tenant } = yield* twoProcesses
        const { accountId } = tenant
        const key = yield* does(makeApiKey(accountId))
        yield* does(makeEndpoint(accountId, { apiKeyId: key.id }))
        const own = yield* does(makeEndpoint(accountId))
        const before = yield* does(makeExecution(tenant))

        yield* other.does(
          ApiKeyStore.use((keys) =>
            keys.update({ accountId, id: key.id, change: { allowedTaskIds: [] }, at: second(1) })
          )
        )
        const narrowed = yield* does(makeExecution(tenant))
        yield* other.does(
          EndpointStore.use((store) =>
            store.remove({ accountId, apiKeyId: null, id: own.id }, { at: second(2) })
          )
        )
        const after = yield* does(makeExecution(tenant))

        const counts = yield* does(
          Effect.forEach([before, narrowed, after], (each) =>
            Effect.map(deliveriesOf(each), ({ length }) => length)
          )
        )
        assert.deepStrictEqual(counts, [2, 1, 0])
      })
    )

    it.effect("knows of a change of its key that was under way while the endpoint was made", () =>
      Effect.gen(function* () {
        const { does } = yield* makeProcess()
        const other = yield* makeProcess()
        const tenant = yield* does(makeTenant())
        const { accountId } = tenant
        const key = yield* does(makeApiKey(accountId))
        const made = other.does(
          Effect.andThen(makeEndpoint(accountId, { apiKeyId: key.id }), makeExecution(tenant))
        )
        const change = { capabilities: ["catalog:read"] } as const
        const narrowed = ApiKeyStore.use((keys) =>
          keys.update({ accountId, id: key.id, change, at: second(1) })
        )

        const meanwhile = Effect.gen(function* () {
          const making = yield* Effect.forkChild(made)
          yield* Effect.raceFirst(somebodyWaits, Fiber.await(making))
          return making
        })
        yield* Fiber.join(yield* does(heldOpen(narrowed, meanwhile)))

        const execution = yield* other.does(makeExecution(tenant))
        assert.deepStrictEqual(yield* does(deliveriesOf(execution)), [])
      })
    )
  })
})
