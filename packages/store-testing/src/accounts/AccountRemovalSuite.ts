/**
 * What every store leaves of an account that is removed. The eraser sees all accounts, so no other suite may run in
 * the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { accountRemoved } from "@runhook/core/audit/KeyEvents"
import type { AccountId } from "@runhook/core/shared/Ids"
import { erasedAfter } from "@runhook/core/sweeps/Retention"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import { RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { by, entriesOf, jana } from "../audit/AuditFixtures.ts"
import { makeAccount, makeApiKey, makeRunnerKey } from "../catalog/CatalogFixtures.ts"
import { makeDelivery } from "../deliveries/DeliveryFixtures.ts"
import { makeEndedExecution, settleCallbacks } from "../executions/EndedFixtures.ts"
import {
  anyExecution,
  makeExecution,
  makeTenant,
  plenty,
  second,
  type Stores,
  type Tenant
} from "../Fixtures.ts"
import { makeBusyTenant } from "../isolation/IsolationFixtures.ts"
import { makeLink, makeSession, redeem } from "../people/PeopleFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { suiteOf } from "../SuiteOf.ts"
import { sumsOf } from "../usage/UsageFixtures.ts"

const remove = (id: AccountId) => AccountStore.use((store) => store.remove({ id, at: second(100) }))

/** When they may be erased. */
export const erasable = DateTime.addDuration(second(100), erasedAfter)

/** More walks than any test needs. */
const turnsMax = 1_000

/** Erases all that may be, and drops all files; answers how many rows and executions each turn removed. */
export const eraseAll = Effect.fnUntraced(function* (at = erasable, limit = plenty) {
  const sweeps = yield* SweepStore
  const counts: Array<number> = []
  for (let turn = 0; turn < turnsMax; turn++) {
    const { hasMore, pruned } = yield* sweeps.prune("accounts", { at, limit })
    counts.push(pruned)
    if (!hasMore) return counts
  }
  return yield* Effect.die(new Error(`Erasing was not over after ${turnsMax} turns`))
})

/** Ends all that has not ended. */
const stopAll = Effect.fnUntraced(function* ({ accountId }: Tenant) {
  const executions = yield* ExecutionStore
  const { items } = yield* executions.list(accountId, anyExecution, { after: null, limit: 100 })
  const stop = { to: "aborted", reason: null, at: second(99) } as const
  yield* Effect.forEach(items, ({ id }) => executions.stop({ accountId, id, ...stop }))
})

const dropFiles = Effect.gen(function* () {
  const sweeps = yield* SweepStore
  yield* sweeps.dropLeftOvers(yield* sweeps.leftOvers(plenty))
})

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("AccountStore remove", { layer, name }, (it) => {
    /** Which of the things of a tenant are in what is stored. */
    const found = (tenant: Tenant, ids: ReadonlyArray<string>) =>
      Effect.map(storedRows(tenant.accountId), (rows) =>
        ids.filter((id) => JSON.stringify(rows).includes(id))
      )

    it.test("makes an account unknown, with its keys, sessions and links, and nothing else", function* () {
      const store = yield* AccountStore
      const [account, other] = [yield* makeAccount(), yield* makeAccount()]
      const [key, runnerKey] = [yield* makeApiKey(account.id), yield* makeRunnerKey(account.id)]
      const [session, link] = [yield* makeSession(account.id), yield* makeLink(account.id)]
      const known = Effect.all([
        ApiKeyStore.use(({ findByPrefix }) => findByPrefix(key.prefix)),
        RunnerKeyStore.use(({ findByPrefix }) => findByPrefix(runnerKey.prefix)),
        PeopleStore.use(({ find }) => Effect.map(find(session.tokenHash), ([each]) => each))
      ]).pipe(Effect.map((each) => each.map((row) => row?.id)))
      const audit = by(jana, accountRemoved)
      // Whoever looked a moment before remembers them.
      const remembered = yield* known

      const ended = yield* store.remove({ id: account.id, at: second(1), audit })

      const missing = [
        yield* Effect.flip(store.get(account.id)),
        yield* Effect.flip(store.update({ id: account.id, change: { name: "Back" } })),
        yield* Effect.flip(store.remove({ id: account.id, at: second(2) }))
      ]
      const redeemed = yield* Effect.flip(redeem(link, session))
      const { items } = yield* store.list({ after: null, limit: 100 })
      assert.sameMembers<string>([...ended], [key.id, runnerKey.id, session.id])
      assert.deepStrictEqual(
        missing.map(({ _tag }) => _tag),
        ["AccountNotFound", "AccountNotFound", "AccountNotFound"]
      )
      assert.deepStrictEqual(remembered, [key.id, runnerKey.id, session.id])
      assert.deepStrictEqual(yield* known, [undefined, undefined, undefined])
      assert.strictEqual(redeemed._tag, "LinkUnusable")
      assert.deepInclude(items, other)
      assert.notInclude(
        items.map(({ id }) => id),
        account.id
      )
      assert.deepStrictEqual(
        (yield* entriesOf(account.id)).map(({ action, before, subject }) => [
          action,
          before?.["name"],
          subject.id
        ]),
        [["account.removed", account.name, account.id]]
      )
    })

    it.test("keeps an account that has unfinished executions, and says how many", function* () {
      const { accountId, ...working } = yield* makeTenant()
      yield* makeExecution({ accountId, ...working }, { status: "pending" })
      yield* makeExecution({ accountId, ...working })
      const before = yield* storedRows(accountId)

      const error = yield* Effect.flip(remove(accountId))

      assert.deepInclude(error, { _tag: "AccountInUse", count: 2 })
      assert.deepStrictEqual(yield* storedRows(accountId), before)
    })

    it.test("is followed by the erasure of all that it had, but for what was counted", function* () {
      yield* eraseAll()
      const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
      const { artifactId, delivery, input, job, run } = yield* makeBusyTenant(tenant)
      yield* makeEndedExecution(tenant)
      yield* makeExecution(tenant, { scheduledAt: second(3_600) })
      yield* stopAll(tenant)
      yield* remove(tenant.accountId)
      // By somebody who still knows the account, a moment later.
      yield* makeDelivery(tenant)
      const [session, link] = [yield* makeSession(tenant.accountId), yield* makeLink(tenant.accountId)]
      const own = [
        ...Object.values(Struct.omit(tenant, ["accountId", "apiKeyId", "taskId", "agentId", "runnerKeyId"])),
        artifactId,
        delivery.id,
        input.id,
        job.id,
        run.execution.id,
        session.id,
        link.id
      ]
      const before = yield* found(tenant, own)
      yield* makeBusyTenant(other)
      const ofOther = Object.values(other)

      const early = yield* eraseAll(DateTime.subtract(erasable, { milliseconds: 1 }))
      const counts = yield* eraseAll(erasable, 3)

      yield* dropFiles
      yield* eraseAll()
      assert.deepStrictEqual(before, own)
      assert.deepStrictEqual(early, [0])
      assert.isAtMost(Math.max(...counts), 3)
      assert.deepStrictEqual(yield* found(tenant, own), [])
      assert.isAbove((yield* sumsOf(tenant.accountId)).length, 0)
      assert.isAbove((yield* entriesOf(tenant.accountId)).length, 0)
      assert.deepStrictEqual(yield* found(other, ofOther), ofOther)
      assert.deepStrictEqual(yield* eraseAll(), [0])
    })

    it.test("leaves the names of its files until they are deleted", function* () {
      const sweeps = yield* SweepStore
      const tenant = yield* makeTenant()
      yield* makeEndedExecution(tenant)
      yield* settleCallbacks(tenant, "Delivered")
      yield* remove(tenant.accountId)

      yield* eraseAll()

      const files = yield* sweeps.leftOvers(plenty)
      assert.deepStrictEqual(
        files.map(({ accountId }) => accountId),
        [tenant.accountId]
      )
    })

    it.test("erases an account whole, whoever else does at the same time", function* () {
      const tenant = yield* makeTenant()
      yield* Effect.replicateEffect(makeEndedExecution(tenant), 6)
      yield* settleCallbacks(tenant, "Delivered")
      yield* remove(tenant.accountId)

      yield* Effect.replicateEffect(eraseAll(erasable, 2), 3, { concurrency: "unbounded" })

      const { items } = yield* ExecutionStore.use((store) =>
        store.list(tenant.accountId, anyExecution, { after: null, limit: 10 })
      )
      assert.deepStrictEqual(items, [])
    })
  })
