/**
 * Rows of every release, in the schema of today and through its stores. What is
 * released next adds its own: `RUNHOOK_RELEASE=0.2.0 npx vitest run packages/store-pg/test/released`
 */
import { assert, describe, it } from "@effect/vitest"
import { allDead, newReplayJob } from "@runhook/core/replays/ReplayJob"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import {
  AccountId,
  AgentId,
  ApiKeyId,
  ReplayId,
  RunnerKeyId,
  TaskId,
  TaskVersionId
} from "@runhook/core/shared/Ids"
import { ApiKeyStore } from "@runhook/core/keys/ApiKeyStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { ReplayStore } from "@runhook/core/replays/ReplayStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { entriesOf } from "@runhook/store-testing/audit/AuditFixtures"
import { anyDelivery, claimAll } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { anyExecution, idAt, second } from "@runhook/store-testing/Fixtures"
import { finish } from "@runhook/store-testing/replays/ReplayFixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import { sumsOf } from "@runhook/store-testing/usage/UsageFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"
import { idempotency, makeEveryRow } from "./EveryRow.ts"
import { compare, load, tables, write } from "./Fixture.ts"
import * as Statements from "./Statements.ts"

const releases = ["0.1.0"]

/** What the stores of the first test send. */
const sent: Array<Statements.Sent> = []

const layer = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, "caller")))
)

const Tenant = Schema.Tuple([
  Schema.Struct({
    accountId: AccountId,
    apiKeyId: ApiKeyId,
    taskId: TaskId,
    taskVersionId: TaskVersionId,
    agentId: AgentId,
    runnerKeyId: RunnerKeyId
  })
])

/** The account of the fixture. */
const theTenant = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`
    SELECT k.account_id AS "accountId", k.id AS "apiKeyId", v.task_id AS "taskId", v.id AS "taskVersionId",
      a.id AS "agentId", r.id AS "runnerKeyId"
    FROM api_keys k, task_versions v, agents a, runner_keys r
    ORDER BY v.number LIMIT 1`
  const [tenant] = yield* Schema.decodeUnknownEffect(Tenant)(rows)
  return tenant
})

const page = { after: null, limit: 100 }

describe("The next release", () => {
  it.layer(Layer.provideMerge(layer, Statements.layerRecording(sent)))((it) => {
    it.effect("leaves rows in every table", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* makeEveryRow
        const release = yield* Config.option(Config.String("RUNHOOK_RELEASE"))
        if (Option.isSome(release)) {
          yield* write(release.value)
          yield* Statements.write(release.value, sent)
        }

        const filled = yield* Effect.filter(yield* tables, (table) =>
          Effect.map(sql.unsafe(`SELECT FROM ${table} LIMIT 1`), (rows) => rows.length > 0)
        )

        assert.deepStrictEqual(filled, yield* tables)
      })
    )
  })
})

describe.each(releases)("Statements of %s", (release) => {
  it.layer(layer)((it) => {
    it.effect("run on the schema of today, and leave the rows that they left then", () =>
      Effect.gen(function* () {
        yield* Statements.send(release)

        const { before, now } = yield* compare(release)
        assert.deepStrictEqual(now, before)
      })
    )
  })
})

describe.each(releases)("Rows of %s", (release) => {
  it.layer(layer)((it) => {
    it.effect("are inserted and read today: executions, callbacks, keys, usage and the log", () =>
      Effect.gen(function* () {
        yield* load(release)
        const { accountId, agentId, apiKeyId } = yield* theTenant
        const executions = yield* ExecutionStore
        const deliveries = yield* DeliveryStore
        const history = yield* HistoryStore

        const found = yield* Effect.forEach(ExecutionStatus.literals, (status) =>
          executions.list(accountId, { ...anyExecution, statuses: [status] }, page)
        )
        const ids = found.flatMap(({ items }) => items.map(({ id }) => id))
        const events = yield* Effect.forEach(ids, (id) =>
          history.events({ accountId, id, after: 0, limit: 99 })
        )
        const told = yield* deliveries.list(accountId, anyDelivery, page)
        const details = yield* Effect.forEach(told.items, ({ id }) => deliveries.get(accountId, id))
        const states = new Set(details.map(({ delivery }) => delivery.state))
        const attempts = details.flatMap((detail) => detail.attempts)

        assert.deepStrictEqual(
          found.map(({ items }) => items.length > 0),
          ExecutionStatus.literals.map(() => true)
        )
        assert.isTrue(events.every(([first]) => first?.type === "created"))
        assert.sameMembers([...states], ["pending", "delivered", "dead"])
        assert.includeMembers(
          attempts.map(({ status }) => status),
          [200, 503]
        )
        assert.isNotEmpty(yield* sumsOf(accountId))
        yield* entriesOf(accountId)
        yield* ApiKeyStore.use((keys) => keys.signingSecrets({ accountId, id: apiKeyId, at: second(1) }))
        assert.isString(agentId)
      })
    )

    it.effect(
      "go on today: work is claimed and ended, repeats are known, callbacks are claimed and replayed, sweeps end",
      () =>
        Effect.gen(function* () {
          const tenant = yield* theTenant
          const { accountId, apiKeyId } = tenant
          const runs = yield* RunStore
          const executions = yield* ExecutionStore
          const sweeps = yield* SweepStore

          const repeat = yield* executions.findDuplicate({
            accountId,
            apiKeyId,
            ...idempotency,
            at: second(700)
          })
          const session = yield* makeSession(tenant)
          const { claims } = yield* claimUpTo(session, { limit: 9, at: second(4_000) })
          const ends = yield* Effect.forEach(claims, ({ run }) =>
            Effect.andThen(
              runs.start({ ...writeTo(run, second(4_001)), lease }),
              runs.finish({
                ...writeTo(run, second(4_002)),
                outcome: { _tag: "Completed", result: null },
                fingerprint: "1:aa"
              })
            )
          )
          const id = yield* idAt(ReplayId, second(4_500))
          const subject = { id, accountId, filter: allDead, expected: null }
          const job = yield* finish(
            yield* ReplayStore.use((store) => store.create(newReplayJob(subject, second(4_500))))
          )
          const due = yield* claimAll(tenant, { at: second(5_000) })
          const expired = yield* sweeps.expireLeases({ at: second(6_000), limit: 50 })

          assert.isDefined(repeat)
          assert.include(
            ends.map(({ run }) => run.execution.id),
            repeat?.id
          )
          assert.isTrue(ends.every(({ run }) => run.execution.status === "completed"))
          assert.isAbove(job.replayed, 0)
          assert.isAbove(due.length, job.replayed)
          assert.isDefined(expired)
        })
    )
  })
})
