import { assert, describe, it } from "@effect/vitest"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import type { Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import { bucketOfNew } from "@runhook/store-pg/accounts/Buckets"
import { StoreClock } from "@runhook/store-pg/clock/StoreClock"
import * as PgStore from "@runhook/store-pg/PgStore"
import { makeTenant, second } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeSession,
  makeStartedRun,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.provideMerge(
  Layer.provideMerge(PgStore.layerStores, [
    TestDatabase.layerMigrated,
    Layer.succeed(StoreClock, "caller"),
    SecureRandom.layerWebCrypto
  ]),
  TestDatabase.layerMigrated
)

const beatAt = Effect.fnUntraced(function* (session: RunnerSession, at: number, run?: Run) {
  const inFlight = run ? [{ executionId: run.execution.id, epoch: run.execution.epoch }] : []
  const store = yield* RunStore
  return yield* store.beat({ session, isDraining: false, inFlight, lease, at: second(at) })
})

const failed: Outcome = { _tag: "Failed", message: "no display", isRetryable: true }

/** The versions of the rows that a runner's polls may touch, and who has locked them. */
const versions = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql`
    SELECT 'session' AS of, xmin::text, xmax::text, ctid::text FROM runner_sessions
    UNION ALL SELECT 'execution', xmin::text, xmax::text, ctid::text FROM executions
    UNION ALL SELECT 'slot', xmin::text, xmax::text, ctid::text FROM agent_slots
    ORDER BY 1, 4`
})

const leaseEnd = ({ held }: { readonly held: ReadonlyArray<Pick<Run, "lease">> }) =>
  held.map((run) => run.lease?.expiresAt)

describe("What a runner's polls write", () => {
  it.layer(stores)((it) => {
    it.effect("is nothing while its session was heard of lately and its leases are young", () =>
      Effect.gen(function* () {
        const { run, session } = yield* makeStartedRun(yield* makeTenant())
        const before = yield* versions

        yield* beatAt(session, 6, run)
        const claim = yield* claimUpTo(session, { limit: 5, at: second(6) })
        yield* beatAt(yield* makeSession(yield* makeTenant()), 9)

        assert.deepStrictEqual(claim, { claims: [], isMoreDue: false, nextDueAt: null })
        const after = yield* versions
        for (const version of before) assert.deepInclude(after, version)
      })
    )

    it.effect("waits for nobody who moves a run, and leaves its lease to the next sign of life", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { run, session } = yield* makeStartedRun(yield* makeTenant())
        const { accountId, id } = run.execution
        const locked = yield* Deferred.make<void>()
        const over = yield* Deferred.make<void>()
        const move = sql`
          SELECT id FROM executions
          WHERE bucket = ${bucketOfNew(accountId)}::smallint AND id = ${id}::uuid
          FOR UPDATE`.pipe(
          Effect.andThen(Deferred.succeed(locked, undefined)),
          Effect.andThen(Deferred.await(over)),
          sql.withTransaction
        )
        const moving = yield* Effect.forkChild(move)
        yield* Deferred.await(locked)

        const during = yield* beatAt(session, 30, run)
        yield* Deferred.succeed(over, undefined)
        yield* Fiber.join(moving)
        const after = yield* beatAt(session, 31, run)

        assert.deepStrictEqual([leaseEnd(during), leaseEnd(after)], [[second(62)], [second(91)]])
      })
    )

    it.effect("extends no lease of a run that was moved since it was read", () =>
      Effect.gen(function* () {
        const store = yield* RunStore
        const tenant = yield* makeTenant()
        const { run, session } = yield* makeStartedRun(tenant, { maxAttempts: 2 })
        const other = yield* makeSession(tenant)
        const fails = { ...writeTo(run, second(20)), outcome: failed, fingerprint: "failed" }
        const services = yield* Effect.context<RunStore | SecureRandom.SecureRandom>()
        const moves = Effect.andThen(
          store.finish(fails),
          claimUpTo(other, { limit: 1, at: second(20) })
        ).pipe(
          Effect.provideService(CurrentTransformer, Effect.succeed),
          Effect.provide(services),
          Effect.orDie
        )
        const movesFirst = Effect.provideService(CurrentTransformer, (statement) =>
          statement.compile()[0].includes("SET lease_expires_at")
            ? Effect.as(moves, statement)
            : Effect.succeed(statement)
        )

        const heard = yield* movesFirst(beatAt(session, 30, run))

        const { lease: taken } = yield* store.get(run.execution)
        assert.deepStrictEqual([taken?.sessionId, taken?.expiresAt], [other.id, second(80)])
        assert.deepStrictEqual(leaseEnd(heard), [second(62)])
      })
    )
  })
})
