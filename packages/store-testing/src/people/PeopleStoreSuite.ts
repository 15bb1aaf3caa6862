/** What every PeopleStore does with links, and with the sessions of a browser. */
import { assert } from "@effect/vitest"
import { AccountId, SignInLinkId, PersonSessionId, newId } from "@runhook/core/shared/Ids"
import { keptFor } from "@runhook/core/people/PersonSession"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import { end, endsOf, makeLink, makeSession, newSession, only, redeem } from "./PeopleFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("PeopleStore", { layer, name }, (it) => {
    it.test("begins the session that is made of a link, and finds it by its token", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const link = yield* makeLink(accountId, { role: "viewer", name: "Bo" })
      const session = yield* newSession(accountId, { fromAddress: "198.51.100.7" })

      const begun = yield* store.redeem({
        tokenHash: link.tokenHash,
        at: second(899),
        present: [],
        begin: (used) => only({ ...session, name: used.name, person: used.person, role: used.role })
      })

      const made = { ...session, name: "Bo", person: link.person, role: "viewer" } as const
      assert.deepStrictEqual(begun, { begun: [made], kept: [], ended: [] })
      assert.deepStrictEqual(yield* store.find(session.tokenHash), [made])
      assert.deepStrictEqual(yield* store.get(accountId, session.id), made)
    })

    it.test("lets one of many have a link who use it at once", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const link = yield* makeLink(accountId)
      const sessions = yield* Effect.replicateEffect(newSession(accountId), 12)

      const outcomes = yield* Effect.forEach(sessions, (session) => Effect.isSuccess(redeem(link, session)), {
        concurrency: "unbounded"
      })

      const found = yield* Effect.forEach(sessions, (session) => store.find(session.tokenHash))
      assert.lengthOf(outcomes.filter(Boolean), 1)
      assert.deepStrictEqual(
        found.map(({ length }) => length === 1),
        outcomes
      )
    })

    it.test(
      "refuses a link that has expired, one that was withdrawn, and one that nobody made",
      function* () {
        const store = yield* PeopleStore
        const { id: accountId } = yield* makeAccount()
        const [old, withdrawn] = yield* Effect.all([makeLink(accountId), makeLink(accountId)])
        const session = yield* newSession(accountId)
        yield* store.withdraw({ accountId, id: withdrawn.id, at: second(0) })

        const errors = [
          yield* Effect.flip(redeem(old, session, second(900))),
          yield* Effect.flip(redeem(withdrawn, session)),
          yield* Effect.flip(redeem({ ...old, tokenHash: "never made" }, session))
        ]

        assert.deepStrictEqual(
          errors.map(({ _tag }) => _tag),
          ["LinkUnusable", "LinkUnusable", "LinkUnusable"]
        )
        assert.deepStrictEqual(yield* store.find(session.tokenHash), [])
      }
    )

    it.test("withdraws a link once, and neither one that was used nor one of another account", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const [open, used] = yield* Effect.all([makeLink(accountId), makeLink(accountId)])
      yield* redeem(used, yield* newSession(accountId))

      yield* store.withdraw({ accountId, id: open.id, at: second(2) })
      yield* store.withdraw({ accountId, id: open.id, at: second(3) })
      yield* store.withdraw({ accountId, id: used.id, at: second(3) })
      const refused = [
        yield* Effect.flip(
          store.withdraw({ accountId: yield* newId(AccountId), id: open.id, at: second(3) })
        ),
        yield* Effect.flip(store.withdraw({ accountId, id: yield* newId(SignInLinkId), at: second(3) }))
      ]

      const { items } = yield* store.listLinks(accountId, { after: null, limit: 9 })
      assert.deepStrictEqual(items, [
        { ...used, usedAt: second(1) },
        { ...open, withdrawnAt: second(2) }
      ])
      assert.deepStrictEqual(
        refused.map(({ _tag }) => _tag),
        ["LinkNotFound", "LinkNotFound"]
      )
    })

    it.test(
      "gives the sessions that are kept the new cookie, and ends those that are replaced",
      function* () {
        const store = yield* PeopleStore
        const { id: accountId } = yield* makeAccount()
        const { id: other } = yield* makeAccount()
        const first = yield* makeSession(accountId)
        const { tokenHash } = first
        const kept = yield* makeSession(other, { tokenHash })
        const gone = yield* makeSession(other, { tokenHash, endedAt: second(1) })
        const next = yield* newSession(accountId, { signedInAt: second(5) })
        const present = [kept, gone]
        const link = yield* makeLink(accountId)

        const begun = yield* store.redeem({
          tokenHash: link.tokenHash,
          at: second(5),
          present: [first, ...present],
          begin: () => ({ begun: [next], kept: present, replaced: [first] })
        })

        const moved = { ...kept, tokenHash: next.tokenHash }
        assert.deepStrictEqual(begun, { begun: [next], kept: [moved], ended: [first.id] })
        assert.deepStrictEqual(yield* store.find(next.tokenHash), [next, moved])
        assert.deepStrictEqual(yield* endsOf([first, gone]), [second(5), second(1)])
      }
    )

    it.test("finds no session by an unknown token, nor one of another account", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const { id } = yield* makeSession(accountId)

      const refused = yield* Effect.flip(store.get(yield* newId(AccountId), id))

      assert.deepStrictEqual(yield* store.find(yield* newId(PersonSessionId)), [])
      assert.strictEqual(refused._tag, "PersonSessionNotFound")
    })

    it.test("keeps the latest moment of use, and the first of ending", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const { id } = yield* makeSession(accountId)

      yield* store.touch({ ids: [id], at: second(120) })
      yield* store.touch({ ids: [id], at: second(60) })
      const ended = [
        yield* end({ sessions: [id], at: second(200) }),
        yield* end({ sessions: [id], at: second(300) })
      ]

      const { endedAt, lastSeenAt } = yield* store.get(accountId, id)
      assert.deepStrictEqual([lastSeenAt, endedAt], [second(120), second(200)])
      assert.deepStrictEqual(ended, [[id], []])
    })

    it.test("lists the sessions of an account that are open, newest first and page by page", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      yield* makeSession((yield* makeAccount()).id)
      const at = second(100_000)
      const lastSeenAt = second(60_000)
      const open = yield* Effect.replicateEffect(makeSession(accountId, { lastSeenAt }), 3)
      yield* makeSession(accountId, { lastSeenAt, endedAt: second(70_000) })
      yield* makeSession(accountId, { lastSeenAt, expiresAt: at })
      // Not used for twelve hours.
      yield* makeSession(accountId, { lastSeenAt: second(100_000 - 12 * 3_600) })

      const first = yield* store.list({ accountId, at, page: { after: null, limit: 2 } })
      const rest = yield* store.list({
        accountId,
        at,
        page: { after: first.items.at(-1)?.id ?? null, limit: 2 }
      })

      assert.deepStrictEqual([...first.items, ...rest.items], open.toReversed())
      assert.deepStrictEqual([first.hasMore, rest.hasMore], [true, false])
    })

    it.test("forgets what expired a month ago, in bites", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      // Long before all other tests, which share the database.
      const expiresAt = DateTime.makeUnsafe("2001-01-01T00:00:00.000Z")
      const sessions = [
        yield* makeSession(accountId, { expiresAt }),
        yield* makeSession(accountId, { expiresAt }),
        yield* makeSession(accountId, { expiresAt: DateTime.add(expiresAt, { hours: 1 }) })
      ]
      yield* makeLink(accountId, { expiresAt })
      const at = DateTime.addDuration(DateTime.add(expiresAt, { minutes: 1 }), keptFor)
      const prune = SweepStore.use((sweeps) => sweeps.prune("people", { at, limit: 1 }))

      const bites = yield* Effect.replicateEffect(prune, 3)

      const found = yield* Effect.forEach(sessions, (each) => store.find(each.tokenHash))
      assert.deepStrictEqual(
        bites.map(({ hasMore }) => hasMore),
        [true, true, false]
      )
      assert.deepStrictEqual(found, [[], [], sessions.slice(2)])
    })
  })
