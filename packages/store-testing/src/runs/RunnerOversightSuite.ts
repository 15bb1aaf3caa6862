/** What every RunStore does for operators who look after the sessions of runners. */
import { assert } from "@effect/vitest"
import { presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent } from "../catalog/CatalogFixtures.ts"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
import { makeSession, makeStartedRun } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore oversight", { layer, name }, (it) => {
    it.test("lists the sessions that serve an agent, newest first, with what each holds", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { accountId, agentId } = tenant
      const other = yield* makeAgent(accountId)
      const { session: busy } = yield* makeStartedRun(tenant)
      const idle = yield* makeSession(tenant, { agentIds: [agentId], createdAt: second(5) })
      const ofOther = yield* makeSession(tenant, { agentIds: [other.id], createdAt: second(6) })
      yield* makeStartedRun(yield* makeTenant())
      const all = { after: null, limit: 50 }

      const ofAgent = yield* store.listSessions({ accountId, agentId }, all)
      const ofAccount = yield* store.listSessions({ accountId, agentId: null }, all)
      const first = yield* store.listSessions({ accountId, agentId: null }, { ...all, limit: 1 })
      const rest = yield* store.listSessions(
        { accountId, agentId: null },
        { limit: 50, after: first.items[0]?.session.id ?? null }
      )

      const held = (items: typeof ofAgent.items) => items.map((each) => [each.session.id, each.busy])
      assert.sameDeepMembers(held(ofAgent.items), [
        [busy.id, 1],
        [idle.id, 0]
      ])
      assert.sameDeepMembers(held(ofAccount.items), [
        [busy.id, 1],
        [idle.id, 0],
        [ofOther.id, 0]
      ])
      assert.deepStrictEqual([...first.items, ...rest.items], ofAccount.items)
      assert.deepStrictEqual([first.hasMore, rest.hasMore], [true, false])
      const ids = ofAccount.items.map(({ session }) => session.id)
      assert.deepStrictEqual(ids, ids.toSorted().toReversed())
    })

    it.test("notes once that a session is to leave, until its process opens it again", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { accountId } = tenant
      const session = yield* makeSession(tenant)
      const ref = { accountId, id: session.id }

      const asked = yield* store.drainSession({ ...ref, at: second(7) })
      const again = yield* store.drainSession({ ...ref, at: second(8) })
      const seen = yield* store.getSession(session)
      const opened = yield* store.openSession({ session, presentMax })

      assert.deepStrictEqual(asked, { ...session, drainRequestedAt: second(7) })
      assert.deepStrictEqual([again, seen], [asked, asked])
      assert.isNull(opened.session.drainRequestedAt)
    })

    it.test("asks no session of another account to leave", function* () {
      const store = yield* RunStore
      const session = yield* makeSession(yield* makeTenant())
      const { accountId } = yield* makeTenant()

      const refusal = yield* Effect.flip(store.drainSession({ accountId, id: session.id, at: second(7) }))

      assert.strictEqual(refusal._tag, "SessionNotFound")
      assert.isNull((yield* store.getSession(session)).drainRequestedAt)
    })
  })
