/** How every PeopleStore puts people out: with all whom they let in, and nobody else. */
import { assert } from "@effect/vitest"
import { type SignInLink, openMax } from "@runhook/core/people/SignInLink"
import { newId, PersonId } from "@runhook/core/shared/Ids"
import { PeopleStore } from "@runhook/core/people/PeopleStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import {
  end,
  endsOf,
  madeWith,
  makeLink,
  makeSession,
  makeSessionOf,
  newSession,
  only,
  redeem
} from "./PeopleFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** When the links were withdrawn. */
const withdrawalsOf = Effect.fnUntraced(function* (links: ReadonlyArray<SignInLink>) {
  const store = yield* PeopleStore
  return yield* Effect.forEach(links, ({ accountId, id }) =>
    Effect.map(
      store.listLinks(accountId, { after: null, limit: 99 }),
      ({ items }) => items.find((link) => link.id === id)?.withdrawnAt ?? null
    )
  )
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("People", { layer, name }, (it) => {
    it.effect(
      "ends with a session all that its links began, and what those began, and nothing above it",
      () =>
        Effect.gen(function* () {
          const { id: accountId } = yield* makeAccount()
          const desk = yield* makeSession(accountId)
          const phone = yield* makeSessionOf(desk)
          const tablet = yield* makeSessionOf(phone)
          const colleague = yield* makeSessionOf(tablet, { name: "Bo" })
          const beside = yield* makeSessionOf(desk)
          const stranger = yield* makeSession(accountId)

          const ended = yield* end({ sessions: [phone.id] })

          const out = [phone, tablet, colleague]
          assert.deepStrictEqual(ended.toSorted(), out.map(({ id }) => id).toSorted())
          assert.deepStrictEqual(yield* endsOf(out), [second(9), second(9), second(9)])
          assert.deepStrictEqual(yield* endsOf([desk, beside, stranger]), [null, null, null])
        })
    )

    it.test("withdraws with a session the open links of all that end, and no others", function* () {
      const { id: accountId } = yield* makeAccount()
      const desk = yield* makeSession(accountId)
      const phone = yield* makeSessionOf(desk)
      const links = [
        yield* makeLink(accountId, madeWith(desk)),
        yield* makeLink(accountId, madeWith(phone)),
        yield* makeLink(accountId, { ...madeWith(phone), withdrawnAt: second(1) }),
        yield* makeLink(accountId, { ...madeWith(phone), expiresAt: second(9) }),
        yield* makeLink(accountId)
      ]

      yield* end({ sessions: [phone.id] })

      assert.deepStrictEqual(yield* withdrawalsOf(links), [null, second(9), second(1), null, null])
    })

    it.effect(
      "ends all sessions of a person and withdraws all their links, in one account or in every one",
      () =>
        Effect.gen(function* () {
          const { id: accountId } = yield* makeAccount()
          const { id: other } = yield* makeAccount()
          const person = yield* newId(PersonId)
          const here = yield* makeSession(accountId, { person, method: "oidc" })
          const phone = yield* makeSession(accountId, { person, method: "oidc", name: "Ada L." })
          const elsewhere = yield* makeSession(other, { person, method: "oidc" })
          const namesake = yield* makeSession(accountId, { name: here.name, method: "oidc" })
          const links = [
            yield* makeLink(accountId, madeWith(here)),
            yield* makeLink(other, madeWith(elsewhere)),
            yield* makeLink(accountId)
          ]

          const first = yield* end({ people: [person], accountId })
          const states = yield* withdrawalsOf(links)
          const rest = yield* end({ people: [person], at: second(10) })

          assert.deepStrictEqual(first.toSorted(), [here.id, phone.id].toSorted())
          assert.deepStrictEqual(rest, [elsewhere.id])
          assert.deepStrictEqual(states, [second(9), null, null])
          assert.deepStrictEqual(yield* withdrawalsOf(links), [second(9), second(10), null])
          assert.deepStrictEqual(yield* endsOf([namesake]), [null])
        })
    )

    it.test(
      "makes no link for a member whose person has as many sessions and links open as may be",
      function* () {
        const { id: accountId } = yield* makeAccount()
        const maker = yield* makeSession(accountId)
        const made = madeWith(maker)
        // None of these is open.
        yield* makeSessionOf(maker, { endedAt: second(0) })
        yield* makeLink(accountId, { ...made, expiresAt: second(0) })
        const links = yield* Effect.replicateEffect(makeLink(accountId, made), openMax - 2)
        const phone = yield* makeSessionOf(maker)

        const refused = yield* Effect.flip(makeLink(accountId, made))
        yield* makeLink(accountId)
        yield* end({ sessions: [phone.id] })
        const room = yield* Effect.isSuccess(makeLink(accountId, made))

        assert.lengthOf(links, openMax - 2)
        assert.deepStrictEqual([refused._tag, refused.limit], ["LinkLimitReached", openMax])
        assert.isTrue(room)
      }
    )

    it.test("replaces the oldest session of a person who signs in again at the limit", function* () {
      const { id: accountId } = yield* makeAccount()
      const { id: other } = yield* makeAccount()
      const person = yield* newId(PersonId)
      const elsewhere = yield* makeSession(other, { person })
      const [oldest, next, ...rest] = yield* Effect.replicateEffect(
        makeSession(accountId, { person }),
        openMax
      )
      if (oldest === undefined || next === undefined) return assert.fail("there are many")

      const again = yield* makeSession(accountId, { person })

      assert.lengthOf(rest, openMax - 2)
      assert.deepStrictEqual(yield* endsOf([oldest]), [again.signedInAt])
      assert.deepStrictEqual(yield* endsOf([next, again, elsewhere]), [null, null, null])
    })

    it.test("signs no one in by the link of a member whose session has ended", function* () {
      const { id: accountId } = yield* makeAccount()
      const expiresAt = second(200_000)
      const at = second(100_000)
      const lastSeenAt = second(90_000)
      const makers = [
        yield* makeSession(accountId, { lastSeenAt }),
        yield* makeSession(accountId, { lastSeenAt, endedAt: second(95_000) }),
        yield* makeSession(accountId, { lastSeenAt, expiresAt: at }),
        // Not used for twelve hours.
        yield* makeSession(accountId, { lastSeenAt: second(100_000 - 12 * 3_600) }),
        // Pruned, or never there.
        yield* newSession(accountId, { lastSeenAt })
      ]
      const links = yield* Effect.forEach(makers, (maker) =>
        makeLink(accountId, { ...madeWith(maker), expiresAt })
      )

      const outcomes = yield* Effect.forEach(links, (link) =>
        Effect.flatMap(newSession(accountId), (session) => Effect.isSuccess(redeem(link, session, at)))
      )

      assert.deepStrictEqual(outcomes, [true, false, false, false, false])
    })

    it.test("gives a beginning the link and the session that made it", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const maker = yield* makeSession(accountId)
      const links = [yield* makeLink(accountId, madeWith(maker)), yield* makeLink(accountId)]

      const given = yield* Effect.forEach(links, (link) =>
        Effect.gen(function* () {
          const session = yield* newSession(accountId)
          let found: unknown
          yield* store.redeem({
            tokenHash: link.tokenHash,
            at: second(1),
            present: [],
            begin: (used, by) => {
              found = [used.id, by]
              return only(session)
            }
          })
          return found
        })
      )

      assert.deepStrictEqual(given, [
        [links[0]?.id, maker],
        [links[1]?.id, undefined]
      ])
    })

    it.test("ends a session that begins by a link while its maker's session is ended", function* () {
      const { id: accountId } = yield* makeAccount()
      const maker = yield* makeSession(accountId)
      const phone = yield* makeSessionOf(maker)
      const links = yield* Effect.replicateEffect(makeLink(accountId, madeWith(phone)), 8)
      const sessions = yield* Effect.forEach(links, () =>
        newSession(accountId, { person: maker.person, maker: phone.id })
      )

      const [, ...outcomes] = yield* Effect.all(
        [
          end({ sessions: [maker.id] }),
          ...links.map((link, place) => {
            const session = sessions[place]
            return session === undefined ? Effect.succeed(false) : Effect.isSuccess(redeem(link, session))
          })
        ],
        { concurrency: "unbounded" }
      )

      const begun = sessions.filter((_, place) => outcomes[place] === true)
      assert.deepStrictEqual(yield* endsOf([maker, phone]), [second(9), second(9)])
      assert.notInclude(yield* endsOf(begun), null)
    })

    it.test("ends with a session that is replaced all that its links began", function* () {
      const store = yield* PeopleStore
      const { id: accountId } = yield* makeAccount()
      const admin = yield* makeSession(accountId)
      const phone = yield* makeSessionOf(admin)
      const link = yield* makeLink(accountId, madeWith(admin))
      const demoted = yield* newSession(accountId, { role: "viewer", signedInAt: second(5) })

      const { ended } = yield* store.begin({ begun: [demoted], kept: [], replaced: [admin] })

      assert.deepStrictEqual(ended.toSorted(), [admin.id, phone.id].toSorted())
      assert.deepStrictEqual(yield* endsOf([admin, phone, demoted]), [second(5), second(5), null])
      assert.deepStrictEqual(yield* withdrawalsOf([link]), [second(5)])
    })
  })
