/** What every store does with alerts and their targets. There is one turn for all, so no other suite may take it meanwhile. */
import { assert } from "@effect/vitest"
import { alertTargetCreated, alertTargetRemoved, alertTargetUpdated } from "@runhook/core/audit/AlertEvents"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { by, entriesOf, jana } from "../audit/AuditFixtures.ts"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { makeAlert, makeNewTarget, makeTarget } from "./AlertFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("AlertStore", { layer, name }, (it) => {
    it.test("keeps the targets of accounts and of the operator apart", function* () {
      const store = yield* AlertStore
      const [one, other] = [yield* makeAccount(), yield* makeAccount()]
      const target = yield* makeTarget({
        accountId: one.id,
        kinds: ["dead_letters"],
        pausedUntil: second(90),
        told: { "some alert": { opened: 1, at: 2 } }
      })
      const operators = yield* makeTarget({ channel: "email", address: "ops@example.com", ciphertext: null })

      const found = yield* store.targetsOf(one.id)

      assert.deepStrictEqual(found, [target])
      assert.deepStrictEqual(yield* store.getTarget({ owner: one.id, id: target.id }), target)
      assert.deepInclude(yield* store.targetsOf(null), operators)
      assert.includeDeepMembers([...(yield* store.targets)], [target, operators])
      const missing = yield* Effect.forEach(
        [
          { owner: other.id, id: target.id },
          { owner: null, id: target.id },
          { owner: one.id, id: operators.id }
        ],
        (ref) => Effect.flip(store.getTarget(ref))
      )
      assert.deepStrictEqual(new Set(missing.map(({ _tag }) => _tag)), new Set(["AlertTargetNotFound"]))
    })

    it.test("adds no more targets than the limit, however many come at once", function* () {
      const store = yield* AlertStore
      const { id: accountId } = yield* makeAccount()
      const targets = yield* Effect.forEach([1, 2, 3, 4, 5], () => makeNewTarget({ accountId }))

      const results = yield* Effect.forEach(
        targets,
        (target) => Effect.result(store.addTarget(target, { limit: 3 })),
        { concurrency: "unbounded" }
      )

      assert.lengthOf(
        results.filter((result) => result._tag === "Success"),
        3
      )
      assert.lengthOf(yield* store.targetsOf(accountId), 3)
    })

    it.test(
      "changes and removes a target, and tells the audit log no more of its URL than the origin",
      function* () {
        const store = yield* AlertStore
        const { id: accountId } = yield* makeAccount()
        const target = yield* makeNewTarget({ accountId })
        const ref = { owner: accountId, id: target.id }
        yield* store.addTarget(target, { limit: 9, audit: by(jana, alertTargetCreated) })

        const changed = yield* store.changeTarget(ref, {
          change: { pausedUntil: second(60) },
          at: second(5),
          audit: by(jana, alertTargetUpdated)
        })
        yield* store.removeTarget(ref, by(jana, alertTargetRemoved))

        assert.deepStrictEqual(changed, { ...target, pausedUntil: second(60), updatedAt: second(5) })
        assert.deepStrictEqual(yield* store.targetsOf(accountId), [])
        assert.strictEqual((yield* Effect.flip(store.removeTarget(ref)))._tag, "AlertTargetNotFound")
        const entries = yield* entriesOf(accountId)
        assert.deepStrictEqual(
          entries.map(({ action, subject }) => [action, subject.name]),
          ["removed", "updated", "created"].map((verb) => [
            `alert_target.${verb}`,
            "https://alerts.example/masked"
          ])
        )
        assert.notInclude(JSON.stringify(entries), "secret")
      }
    )

    it.test("gives the turn to one of many, and to another after its end", function* () {
      const store = yield* AlertStore
      yield* makeTarget()
      const [at, until] = [second(1_000), second(1_050)]

      const first = yield* Effect.all(
        [1, 2, 3, 4].map(() => store.takeTurn({ at, until })),
        { concurrency: "unbounded" }
      )
      const early = yield* store.takeTurn({ at: second(1_049), until: second(1_100) })
      const next = yield* store.takeTurn({ at: second(1_050), until: second(1_100) })

      const taken = first.filter((turn) => turn !== null)
      assert.lengthOf(taken, 1)
      assert.isNull(early)
      assert.strictEqual(next, (taken[0] ?? 0) + 1)
    })

    it.test("keeps the alerts of the last turn, and of no earlier one", function* () {
      const store = yield* AlertStore
      const [one, other] = [yield* makeAccount(), yield* makeAccount()]
      yield* makeTarget()
      const first = yield* store.takeTurn({ at: second(2_000), until: second(2_050) })
      const alerts = [
        makeAlert(one.id),
        makeAlert(other.id, { kind: "dead_letters", subject: "", openedAt: null })
      ]
      const stored = yield* store.replaceAlerts({ turn: first ?? 0, alerts })
      const second1 = yield* store.takeTurn({ at: second(2_060), until: second(2_100) })
      const changed = makeAlert(one.id, { count: 9, closedAt: second(2_060) })

      const late = yield* store.replaceAlerts({ turn: first ?? 0, alerts: [] })
      const before = yield* store.alerts(null)
      const replaced = yield* store.replaceAlerts({ turn: second1 ?? 0, alerts: [changed] })

      assert.deepStrictEqual([stored, late, replaced], [true, false, true])
      assert.sameDeepMembers([...before], alerts)
      assert.deepStrictEqual(yield* store.alerts(one.id), [changed])
      assert.deepStrictEqual(yield* store.alerts(other.id), [])
    })

    it.test("shows nothing of a removed account, and sends it nothing", function* () {
      const store = yield* AlertStore
      const { id: accountId } = yield* makeAccount()
      const target = yield* makeTarget({ accountId })
      const turn = yield* store.takeTurn({ at: second(3_000), until: second(3_000) })
      yield* store.replaceAlerts({ turn: turn ?? 0, alerts: [makeAlert(accountId)] })
      const before = yield* store.alerts(null)

      yield* AccountStore.use((accounts) => accounts.remove({ id: accountId, at: second(3_001) }))

      assert.lengthOf(before, 1)
      assert.deepStrictEqual(yield* store.alerts(null), [])
      assert.notInclude(
        (yield* store.targets).map(({ id }) => id),
        target.id
      )
    })

    it.test("lets no more be caused than is allowed in an hour, by all who ask at once", function* () {
      const store = yield* AlertStore
      const { id } = yield* makeAccount()
      const [ours, theirs] = [`ours of ${id}`, `theirs of ${id}`]
      const mayBoth = (at: number) =>
        store.useAllowances(
          [
            { subject: ours, max: 9 },
            { subject: theirs, max: 3 }
          ],
          second(at)
        )
      const mayOurs = (at: number) => store.useAllowances([{ subject: ours, max: 9 }], second(at))

      const first = yield* Effect.all([1, 2, 3, 4, 5].map(mayBoth), { concurrency: "unbounded" })
      const alone = yield* Effect.forEach([6, 6, 6, 6, 6, 6, 6], mayOurs)
      const early = yield* mayBoth(3_600)
      const later = yield* mayBoth(3_606)

      assert.lengthOf(
        first.filter((isAllowed) => isAllowed),
        3
      )
      // What was refused has used up nothing.
      assert.deepStrictEqual(alone, [true, true, true, true, true, true, false])
      assert.deepStrictEqual([early, later], [false, true])
      assert.isTrue(yield* store.useAllowances([], second(0)))
    })

    it.test("lets one attempt at a target begin of those that know the same", function* () {
      const store = yield* AlertStore
      const { id: accountId } = yield* makeAccount()
      const target = yield* makeTarget({ accountId })
      const begin = store.beginAttempt(target, second(120))

      const begun = yield* Effect.all([begin, begin, begin], { concurrency: "unbounded" })
      const sent = {
        told: { "an alert": { opened: 5, at: 7 } },
        failures: 0,
        nextAttemptAt: second(300),
        lastSentAt: second(2),
        lastError: null
      }
      yield* store.endAttempt({ id: target.id, attempts: 1, sent })
      yield* store.endAttempt({
        id: target.id,
        attempts: 0,
        sent: { ...sent, lastError: "of an earlier one" }
      })

      assert.sameMembers([...begun], [true, false, false])
      assert.deepStrictEqual(yield* store.targetsOf(accountId), [{ ...target, ...sent, attempts: 1 }])
    })
  })
