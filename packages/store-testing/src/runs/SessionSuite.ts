/** What every RunStore does with the sessions of runners. */
import { assert } from "@effect/vitest"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent, makeRunnerKey } from "../catalog/CatalogFixtures.ts"
import { makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, idsOf, lease, makeSession, makeStartedRun, newSession, writeTo } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore sessions", { layer, name }, (it) => {
    it.test("opens a session and names the agents it serves", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const other = yield* makeAgent(tenant.accountId)
      const session = yield* newSession(tenant)
      const narrow = yield* newSession(tenant, { agentIds: [other.id] })

      const opened = yield* store.openSession({ session, presentMax })
      const openedNarrow = yield* store.openSession({ session: narrow, presentMax })

      assert.deepStrictEqual(opened.session, session)
      assert.deepStrictEqual(opened.held, [])
      const names = opened.agents.map(({ id }) => id)
      assert.deepStrictEqual(names.toSorted(), [tenant.agentId, other.id].toSorted())
      assert.deepStrictEqual(openedNarrow.agents, [other])
    })

    it.effect(
      "finds the session of the same instance again, with its new description and what it holds",
      () =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const tenant = yield* makeTenant()
          const { run, session } = yield* makeStartedRun(tenant)
          yield* makeExecution(tenant)
          const again = yield* newSession(tenant, {
            instanceId: session.instanceId,
            version: "2.0.0",
            createdAt: second(9),
            lastSeenAt: second(9)
          })

          const opened = yield* store.openSession({ session: again, presentMax })

          const expected = { ...again, id: session.id, createdAt: session.createdAt }
          assert.deepStrictEqual(opened.session, expected)
          assert.deepStrictEqual(
            opened.held.map((held) => held.run),
            [run]
          )
          assert.deepStrictEqual(yield* store.getSession(expected), expected)
        })
    )

    it.test("opens as many sessions of a key as may be present at once", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const sessions = yield* Effect.replicateEffect(makeSession(tenant), presentMax)
      const session = yield* newSession(tenant)

      const error = yield* Effect.flip(store.openSession({ session, presentMax }))

      assert.deepStrictEqual([error._tag, error.limit], ["SessionLimitReached", presentMax])
      const { accountId, id } = session
      const { runnerKeyId } = tenant
      const missing = yield* Effect.flip(store.getSession({ accountId, runnerKeyId, id }))
      assert.strictEqual(missing._tag, "SessionNotFound")
      const [first] = sessions
      const again = yield* newSession(tenant, { instanceId: first?.instanceId ?? "" })
      const found = yield* store.openSession({ session: again, presentMax })
      assert.strictEqual(found.session.id, first?.id)
      const otherKey = { ...tenant, runnerKeyId: (yield* makeRunnerKey(accountId)).id }
      yield* makeSession(otherKey)
    })

    it.test("has room for a session when another was left or has been silent", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { accountId, id } = yield* makeSession(tenant, { lastSeenAt: second(10) })
      yield* makeSession(tenant, { lastSeenAt: second(1) })
      const limit = 2
      const openAt = (at: number) =>
        Effect.flatMap(newSession(tenant, { lastSeenAt: second(at) }), (session) =>
          Effect.exit(store.openSession({ session, presentMax: limit }))
        )

      const exits = [
        yield* openAt(60),
        yield* openAt(61),
        yield* openAt(62),
        yield* Effect.andThen(store.closeSession({ accountId, id, at: second(63) }), openAt(63))
      ]

      assert.deepStrictEqual(
        exits.map(({ _tag }) => _tag),
        ["Failure", "Success", "Failure", "Success"]
      )
    })

    it.test("opens one of many sessions that come at once when there is room for one", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const limit = 3
      yield* Effect.replicateEffect(makeSession(tenant), limit - 1)
      const sessions = yield* Effect.replicateEffect(newSession(tenant), 8)

      const exits = yield* Effect.forEach(
        sessions,
        (session) => Effect.exit(store.openSession({ session, presentMax: limit })),
        { concurrency: "unbounded" }
      )

      assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
    })

    it.test("keeps equal instance names of two runner keys apart", function* () {
      const tenant = yield* makeTenant()
      const otherKey = { ...tenant, runnerKeyId: (yield* makeRunnerKey(tenant.accountId)).id }

      const first = yield* makeSession(tenant, { instanceId: "worker-1" })
      const other = yield* makeSession(otherKey, { instanceId: "worker-1" })

      assert.notStrictEqual(first.id, other.id)
    })

    it.test("knows a session only under its own account and key", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { accountId, id, runnerKeyId } = yield* makeSession(tenant)
      const otherKey = (yield* makeRunnerKey(accountId)).id
      const otherAccount = (yield* makeTenant()).accountId

      const errors = yield* Effect.all([
        Effect.flip(store.getSession({ accountId, runnerKeyId: otherKey, id })),
        Effect.flip(store.getSession({ accountId: otherAccount, runnerKeyId, id })),
        Effect.flip(store.closeSession({ accountId: otherAccount, id, at: second(1) }))
      ])

      for (const error of errors) assert.strictEqual(error._tag, "SessionNotFound")
    })

    it.effect(
      "gives back what a leaving session has not started, in its old place, and keeps what it has",
      () =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const tenant = yield* makeTenant()
          const { run, session } = yield* makeStartedRun(tenant)
          const waiting = yield* makeExecution(tenant)
          yield* claimUpTo(session, { limit: 1, at: second(3) })
          const { accountId } = tenant

          const changes = yield* store.closeSession({ accountId, id: session.id, at: second(4) })

          assert.deepStrictEqual(
            changes.map((change) => [change.run.execution.id, change.run.dueAt, change.releasedFrom]),
            [[waiting.id, second(0), session.id]]
          )
          const { claims } = yield* claimUpTo(yield* makeSession(tenant), { limit: 5, at: second(4) })
          assert.deepStrictEqual(idsOf(claims), [waiting.id])
          const { changed } = yield* store.start({ ...writeTo(run, second(5)), lease })
          assert.isFalse(changed)
          const gone = yield* Effect.flip(store.closeSession({ accountId, id: session.id, at: second(6) }))
          assert.strictEqual(gone._tag, "SessionNotFound")
        })
    )
  })
