/** What every ExecutionStore does when requests repeat, and when there are too many. */
import { assert } from "@effect/vitest"
import { executionCreated } from "@runhook/core/audit/ActivityEvents"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { by, jana } from "../audit/AuditFixtures.ts"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  anyExecution,
  makeExecution,
  makeTenant,
  newExecution,
  second,
  type Stores,
  type Tenant,
  unlimited
} from "../Fixtures.ts"
import * as ScheduleFixtures from "../schedules/ScheduleFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const idempotency = { key: "order-7", fingerprint: "of the body", expiresAt: second(1_000) }

/** How a repeat of the request looks for what the key has made. */
const repeatBy = ({ accountId, apiKeyId }: Pick<Tenant, "accountId" | "apiKeyId">) => ({
  accountId,
  apiKeyId,
  key: idempotency.key,
  fingerprint: idempotency.fingerprint,
  at: second(5)
})

const removeAccount = ({ accountId: id }: Tenant) =>
  AccountStore.use((store) => store.remove({ id, at: second(100) }))

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("ExecutionStore create", { layer, name }, (it) => {
    it.test("makes one execution of forty equal requests at once", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const executions = yield* Effect.all(Array.from({ length: 40 }, () => newExecution(tenant)))

      const answers = yield* Effect.forEach(
        executions,
        (execution) => store.create({ ...unlimited, execution, idempotency }),
        { concurrency: "unbounded" }
      )

      const { items } = yield* store.list(tenant.accountId, anyExecution, { after: null, limit: 50 })
      assert.strictEqual(items.length, 1)
      assert.strictEqual(answers.filter(({ isDuplicate }) => !isDuplicate).length, 1)
      for (const { change } of answers) assert.deepInclude(change.run.execution, { ...items[0] })
    })

    it.test("answers a repeat with the execution as it is now, changing nothing", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* newExecution(tenant)
      yield* store.create({ ...unlimited, execution, idempotency })
      const { accountId, id } = execution
      const { run } = yield* store.stop({ accountId, id, to: "aborted", reason: null, at: second(2) })

      const repeat = yield* store.create({
        ...unlimited,
        execution: yield* newExecution(tenant),
        idempotency
      })
      const duplicate = yield* store.findDuplicate(repeatBy(tenant))

      assert.isTrue(repeat.isDuplicate)
      assert.isFalse(repeat.change.changed)
      assert.isNull(repeat.change.event)
      assert.deepStrictEqual(repeat.change.run.execution, run.execution)
      assert.deepStrictEqual(duplicate, run.execution)
    })

    it.test("refuses another request under a used key, naming what the key has made", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* newExecution(tenant)
      yield* store.create({ ...unlimited, execution, idempotency })
      const other = { ...unlimited, execution: yield* newExecution(tenant) }
      const fingerprint = "of another body"

      const errors = yield* Effect.all([
        Effect.flip(store.create({ ...other, idempotency: { ...idempotency, fingerprint } })),
        Effect.flip(store.findDuplicate({ ...repeatBy(tenant), fingerprint }))
      ])

      for (const error of errors) {
        assert.strictEqual(error._tag, "IdempotencyConflict")
        if (error._tag === "IdempotencyConflict") assert.strictEqual(error.executionId, execution.id)
      }
    })

    it.test("takes a request for a repeat whose fingerprint another version has made", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* newExecution(tenant)
      const of = (fingerprint: string) => ({ ...idempotency, fingerprint })
      yield* store.create({ ...unlimited, execution, idempotency: of("1:aa") })
      const again = { ...unlimited, execution: yield* newExecution(tenant) }

      const repeat = yield* store.create({ ...again, idempotency: of("2:bb") })
      const duplicate = yield* store.findDuplicate({ ...repeatBy(tenant), fingerprint: "2:bb" })
      const other = yield* Effect.flip(store.create({ ...again, idempotency: of("1:bb") }))

      assert.deepStrictEqual([repeat.isDuplicate, repeat.change.run.execution.id], [true, execution.id])
      assert.strictEqual(duplicate?.id, execution.id)
      assert.strictEqual(other._tag, "IdempotencyConflict")
    })

    it.test("keeps the keys of one API key apart from those of another", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const other = { ...tenant, apiKeyId: (yield* makeApiKey(tenant.accountId)).id }
      yield* store.create({ ...unlimited, execution: yield* newExecution(tenant), idempotency })

      const found = yield* store.findDuplicate(repeatBy(other))
      const created = yield* store.create({
        ...unlimited,
        execution: yield* newExecution(other),
        idempotency
      })

      assert.isUndefined(found)
      assert.isFalse(created.isDuplicate)
    })

    it.test("forgets a key the moment its time is over", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      yield* store.create({ ...unlimited, execution: yield* newExecution(tenant), idempotency })
      const late = yield* newExecution(tenant, { createdAt: second(1_000) })
      const renewed = { key: idempotency.key, fingerprint: "of another body", expiresAt: second(2_000) }

      const found = yield* store.findDuplicate({ ...repeatBy(tenant), at: second(1_000) })
      const { change, isDuplicate } = yield* store.create({
        ...unlimited,
        execution: late,
        idempotency: renewed
      })

      assert.isUndefined(found)
      assert.isFalse(isDuplicate)
      const again = { ...repeatBy(tenant), fingerprint: renewed.fingerprint, at: second(1_001) }
      assert.deepStrictEqual(yield* store.findDuplicate(again), change.run.execution)
    })

    it.test("does not remember a request that it refused", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const execution = yield* newExecution(tenant)
      yield* Effect.flip(store.create({ ...unlimited, accountMaxLive: 0, execution, idempotency }))

      const { isDuplicate } = yield* store.create({ ...unlimited, execution, idempotency })

      assert.isFalse(isDuplicate)
    })

    it.test("answers a repeat although the limit is reached", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const limited = { idempotency, accountMaxLive: 1, keyMaxLive: 1 }
      yield* store.create({ ...limited, execution: yield* newExecution(tenant) })

      const { isDuplicate } = yield* store.create({ ...limited, execution: yield* newExecution(tenant) })

      assert.isTrue(isDuplicate)
    })

    it.test("accepts as many at once as the account may have, and no more", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const executions = yield* Effect.all(Array.from({ length: 12 }, () => newExecution(tenant)))

      const outcomes = yield* Effect.forEach(
        executions,
        (execution) => Effect.result(store.create({ ...unlimited, accountMaxLive: 3, execution })),
        { concurrency: "unbounded" }
      )

      const refusals = outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure] : []))
      assert.strictEqual(refusals.length, 9)
      for (const refusal of refusals) {
        assert.deepInclude(refusal, { _tag: "ConcurrencyLimitReached", scope: "account", limit: 3 })
      }
    })

    it.test("counts only the unfinished executions of a key against its limit", function* () {
      const store = yield* ExecutionStore
      const tenant = yield* makeTenant()
      yield* makeExecution({ ...tenant, apiKeyId: (yield* makeApiKey(tenant.accountId)).id })
      const { accountId, id } = yield* makeExecution(tenant)
      yield* makeExecution(tenant, { status: "pending" })
      const create = Effect.map(newExecution(tenant), (execution) => ({
        ...unlimited,
        keyMaxLive: 2,
        execution
      }))

      const refusal = yield* Effect.flip(store.create(yield* create))
      yield* store.stop({ accountId, id, to: "aborted", reason: null, at: second(1) })
      const { isDuplicate } = yield* store.create(yield* create)

      assert.deepInclude(refusal, { _tag: "ConcurrencyLimitReached", scope: "key", limit: 2 })
      assert.isFalse(isDuplicate)
    })

    it.test("makes none in a removed account, in whatever way", function* () {
      const executions = yield* ExecutionStore
      const tenant = yield* makeTenant()
      const reject = { concurrency: { key: "one", limit: 1, policy: "reject" } } as const
      const schedule = yield* ScheduleFixtures.makeSchedule(tenant)
      yield* removeAccount(tenant)
      const audit = by(jana, executionCreated)
      const ways = [{}, { idempotency }, { audit }]
      const attempts = [...ways.map((way) => [way, {}] as const), [{}, reject] as const]

      const refusals = yield* Effect.forEach(attempts, ([way, fields]) =>
        Effect.flatMap(newExecution(tenant, fields), (execution) =>
          Effect.flip(executions.create({ ...unlimited, execution, ...way }))
        )
      )
      const wanted = ScheduleFixtures.created(yield* ScheduleFixtures.executionOf(tenant, schedule))
      const fired = yield* ScheduleStore.use((store) =>
        store.fire([ScheduleFixtures.firing(schedule, wanted)])
      )

      assert.deepStrictEqual(
        refusals.map(({ _tag }) => _tag),
        attempts.map(() => "AccountNotFound")
      )
      assert.deepStrictEqual(
        fired.map(({ came }) => came.outcome),
        ["refused"]
      )
      const page = { after: null, limit: 10 }
      assert.deepStrictEqual((yield* executions.list(tenant.accountId, anyExecution, page)).items, [])
    })

    it.test("makes none in an account that is removed at the same time, or keeps the account", function* () {
      const executions = yield* ExecutionStore
      const tenants = yield* Effect.replicateEffect(makeTenant(), 12)

      const outcomes = yield* Effect.forEach(
        tenants,
        Effect.fnUntraced(function* (tenant) {
          const execution = yield* newExecution(tenant)
          const creating = Effect.exit(executions.create({ ...unlimited, execution }))
          const both = [creating, Effect.exit(removeAccount(tenant))] as const
          const [made, removed] = yield* Effect.all(both, { concurrency: "unbounded" })
          return [made._tag, removed._tag]
        }),
        { concurrency: "unbounded" }
      )

      for (const [made, removed] of outcomes) assert.notStrictEqual(made, removed)
    })
  })
