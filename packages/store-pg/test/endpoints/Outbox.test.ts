/** Endpoints are told of what any process of a service has stored, whatever becomes of that process. */
import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import type { AccountId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { uuid } from "@runhook/store-pg/sql/Parameters"
import { fanOutAll, makeEndpoint, toldDeliveriesOf } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { deliveriesOf, makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { lease, makeClaimedRun, makeStartedRun, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { heldOpen, somebodyWaits, waitsForLock } from "../runs/moves/HeldOpen.ts"
import { makeProcess } from "../Process.ts"
import { accept, refuse } from "../Refusing.ts"
import { layerMigrated } from "../TestDatabase.ts"

/** Two processes, and an account. */
const twoProcesses = Effect.gen(function* () {
  const { does } = yield* makeProcess()
  const other = yield* makeProcess()
  return { does, other, tenant: yield* does(makeTenant()) }
})

const outcome = { _tag: "Completed", result: StoredJson.of({ pages: 2 }) } as const

describe("The outbox of endpoints", () => {
  it.layer(layerMigrated)((it) => {
    it.effect(
      "has every change that is asked for after another process has answered an endpoint's create",
      () =>
        Effect.gen(function* () {
          const { does, other, tenant } = yield* twoProcesses
          const { accountId } = tenant
          const { run } = yield* does(makeClaimedRun(tenant))
          const late = yield* does(makeExecution(tenant, { scheduledAt: second(90), expiresAt: second(5) }))
          const held = yield* does(makeExecution(tenant, { status: "pending" }))
          const endpoints: Array<string> = []
          const afterOneMore = <A, E, R>(change: Effect.Effect<A, E, R>) =>
            Effect.gen(function* () {
              endpoints.push((yield* other.does(makeEndpoint(accountId))).id)
              return yield* change
            })
          const ref = ({ id }: Pick<Execution, "id">) => ({ accountId, id, at: second(4) })

          const created = yield* afterOneMore(does(makeExecution(tenant)))
          yield* afterOneMore(does(RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))))
          const finish = { ...writeTo(run, second(3)), outcome, fingerprint: "1" }
          yield* afterOneMore(does(RunStore.use((runs) => runs.finish(finish))))
          const stop = { ...ref(created), to: "aborted", reason: null } as const
          yield* afterOneMore(does(ExecutionStore.use((store) => store.stop(stop))))
          yield* afterOneMore(does(ExecutionStore.use((store) => store.release(ref(held)))))
          const sweep = SweepStore.use((store) => store.expireExecutions({ at: second(6), limit: 100 }))
          yield* afterOneMore(does(sweep))

          const told = yield* other.does(
            Effect.forEach([created, run.execution, held, late], (execution) =>
              Effect.map(toldDeliveriesOf(execution), (all) =>
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

    it.effect("has nothing of a transaction that is rolled back", () =>
      Effect.gen(function* () {
        const { does, tenant } = yield* twoProcesses
        yield* does(makeEndpoint(tenant.accountId))

        yield* does(
          SqlClient.use((sql) =>
            sql.withTransaction(Effect.andThen(makeStartedRun(tenant), Effect.fail("No stock")))
          )
        ).pipe(Effect.flip)

        assert.deepStrictEqual(yield* does(fanOutAll), [])
      })
    )

    it.effect("lets no later change of an execution be told before one that another process is at", () =>
      Effect.gen(function* () {
        const { does, other, tenant } = yield* twoProcesses
        yield* does(makeEndpoint(tenant.accountId))
        const { run } = yield* does(makeStartedRun(tenant))
        const { id } = run.execution
        const free = yield* does(makeExecution(tenant))
        const locking = SqlClient.use(
          (sql) => sql`
            SELECT FROM endpoint_outbox
            WHERE bucket = ${bucketOfNew(tenant.accountId)}::smallint AND execution_id = ${uuid(id)} AND revision = 1
            FOR UPDATE`
        )
        const once = other.does(EndpointStore.use((store) => store.fanOut({ limit: 100, at: second(5) })))

        const meanwhile = yield* does(heldOpen(locking, once))
        const told = yield* does(deliveriesOf(run.execution))
        const after = yield* other.does(toldDeliveriesOf(run.execution))

        assert.deepStrictEqual([meanwhile.events.length, meanwhile.hasMore], [1, true])
        assert.deepStrictEqual(told, [])
        assert.lengthOf(yield* does(deliveriesOf(free)), 1)
        assert.lengthOf(after, 2)
      })
    )

    it.effect("is empty of an account once it was told by itself, though another process is at it", () =>
      Effect.gen(function* () {
        const { does, other, tenant } = yield* twoProcesses
        const { accountId } = tenant
        yield* does(makeEndpoint(accountId))
        const execution = yield* does(makeExecution(tenant))
        const locking = SqlClient.use(
          (sql) => sql`
            SELECT FROM endpoint_outbox
            WHERE bucket = ${bucketOfNew(accountId)}::smallint AND account_id = ${uuid(accountId)}
            FOR UPDATE`
        )
        const telling = EndpointStore.use((store) => store.fanOut({ accountId, limit: 100, at: second(5) }))

        const waiting = yield* heldOpen(
          locking,
          Effect.tap(Effect.forkChild(other.does(telling)), waitsForLock)
        )
        const { events, hasMore } = yield* Fiber.join(waiting)

        assert.deepStrictEqual([events.length, hasMore], [1, false])
        assert.lengthOf(yield* does(deliveriesOf(execution)), 1)
      })
    )

    it.effect(
      "tells of all others while the database refuses something of an execution, and of that one later",
      () =>
        Effect.gen(function* () {
          const { does, tenant } = yield* twoProcesses
          yield* does(makeEndpoint(tenant.accountId))
          const { run } = yield* does(makeStartedRun(tenant))
          const refused = [
            run.execution,
            yield* does(makeExecution(tenant)),
            yield* does(makeExecution(tenant))
          ]
          const others = yield* does(Effect.replicateEffect(makeExecution(tenant), 3))
          const ids = refused.map(({ id }) => `'${id}'`).join(", ")
          yield* refuse("webhook_deliveries", "22023", { rows: `NEW.execution_id IN (${ids})` })
          const fanOut = (options: { readonly at: DateTime.Utc; readonly accountId?: AccountId }) =>
            EndpointStore.use((store) => store.fanOut({ limit: 2, ...options }))
          /** Fewer at a time than are refused. */
          const fanOutInTwos = (at: DateTime.Utc) =>
            Effect.repeat(fanOut({ at }), { while: ({ hasMore }) => hasMore })
          const toldOf = (some: ReadonlyArray<Execution>) =>
            Effect.map(Effect.forEach(some, deliveriesOf), (all) => all.map(({ length }) => length))

          yield* does(fanOutInTwos(second(5)))
          const first = yield* does(toldOf([...refused, ...others]))
          const late = yield* does(makeExecution(tenant))
          const ofAccount = yield* does(fanOut({ at: second(30), accountId: tenant.accountId }))
          yield* accept("webhook_deliveries")
          yield* does(fanOutInTwos(second(66)))

          assert.deepStrictEqual(first, [0, 0, 0, 1, 1, 1])
          assert.deepStrictEqual([ofAccount.events.length, ofAccount.hasMore], [1, false])
          assert.deepStrictEqual(yield* does(toldOf([...refused, ...others, late])), [2, 1, 1, 1, 1, 1, 1])
        })
    )

    it.effect("keeps what a process has begun to tell when its connections are lost", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { does, other, tenant } = yield* twoProcesses
        const { accountId } = tenant
        yield* does(makeEndpoint(accountId))
        const { run } = yield* does(makeStartedRun(tenant))
        // Holds up the deliveries, behind the end of the notes.
        const locking = sql`LOCK TABLE webhook_deliveries IN SHARE MODE`
        const kill = sql`
          SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'webhook_deliveries'::regclass`

        const fanningOut = yield* heldOpen(
          locking,
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(Effect.exit(other.does(fanOutAll)))
            yield* somebodyWaits
            yield* kill
            yield* Fiber.interrupt(fiber)
            return yield* sql`SELECT FROM endpoint_outbox WHERE account_id = ${uuid(accountId)}`
          })
        )

        assert.lengthOf(fanningOut, 2)
        assert.lengthOf(yield* does(toldDeliveriesOf(run.execution)), 2)
      })
    )
  })
})
