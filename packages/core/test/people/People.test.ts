import { assert, describe } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import { actorOf } from "@runhook/core/people/PersonSession"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import { test } from "@runhook/test-support/engine/Test"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import {
  ada,
  letInBy,
  makeAccount,
  makeAccountLink,
  makeLink,
  makeSession,
  redeem,
  stillIn
} from "./SignedIn.ts"

describe("a person", () => {
  test("is a subject of the provider, whatever the account and the name, and tells nothing of it", function* () {
    const sessions = yield* PersonSessions
    const signIn = Effect.fnUntraced(function* (identity: {
      readonly subject: string
      readonly name: string
    }) {
      const memberships = [{ accountId: (yield* makeAccount()).id, role: "viewer" } as const]
      const signedIn = yield* sessions.signIn({ identity: { ...identity, memberships }, present: null })
      return signedIn.sessions[0].person
    })

    const [first, renamed, bo] = [
      yield* signIn(ada),
      yield* signIn({ ...ada, name: "Ada L." }),
      yield* signIn({ ...ada, subject: "issuer bo" })
    ]

    assert.strictEqual(renamed, first)
    assert.notStrictEqual(bo, first)
    assert.match(first, /^[0-9a-f-]{36}$/)
  })

  test("begins with the link of an operator, and is kept by all whom they let in", function* () {
    const { id: accountId } = yield* makeAccount()
    const [one, other] = yield* Effect.replicateEffect(
      Effect.flatMap(makeLink(accountId), (link) => redeem(link)),
      2
    )
    if (one === undefined || other === undefined) return assert.fail("there are two links")
    const guest = yield* letInBy(one, "Bo")
    const guestOfGuest = yield* letInBy(guest, "Cy")

    const people = [one, guest, guestOfGuest, other].map(({ sessions }) => sessions[0].person)

    assert.deepStrictEqual(new Set(people.slice(0, 3)), new Set([one.sessions[0].person]))
    assert.notStrictEqual(other.sessions[0].person, one.sessions[0].person)
    assert.deepStrictEqual(
      [guest, guestOfGuest].map(({ sessions }) => sessions[0].maker),
      [one.sessions[0].id, guest.sessions[0].id]
    )
  })

  test("lets nobody in for longer than they are in themselves", function* () {
    const sessions = yield* PersonSessions
    const maker = yield* makeSession()
    yield* Effect.replicateEffect(
      Effect.andThen(TestClock.adjust("11 hours"), sessions.open(maker.token, "using")),
      14
    )

    const guest = yield* letInBy(maker)

    assert.deepStrictEqual(guest.sessions[0].expiresAt, maker.sessions[0].expiresAt)
  })

  test("signs out with all whom they let in, and so on, and no link of theirs lets anybody in again", function* () {
    const sessions = yield* PersonSessions
    const maker = yield* makeSession()
    const guest = yield* letInBy(maker)
    const guestOfGuest = yield* letInBy(guest)
    const links = yield* Effect.forEach([maker, guest, guestOfGuest], ({ sessions: [session] }) =>
      makeLink(session.accountId).pipe(
        Effect.provideService(CurrentActor, { ...theService, ...actorOf(session) })
      )
    )

    yield* sessions.signOut(maker.sessions)

    const again = yield* Effect.forEach(links, (link) => Effect.isSuccess(redeem(link)))
    assert.deepStrictEqual(yield* stillIn([maker, guest, guestOfGuest]), [false, false, false])
    assert.deepStrictEqual(again, [false, false, false])
  })

  test("whom a member let in signs out nobody but those whom they let in, also everywhere", function* () {
    const sessions = yield* PersonSessions
    const maker = yield* makeSession()
    const [guest, beside] = [yield* letInBy(maker), yield* letInBy(maker)]
    const guestOfGuest = yield* letInBy(guest)

    yield* sessions.signOutEverywhere(guest.sessions)

    assert.deepStrictEqual(yield* stillIn([maker, beside, guest, guestOfGuest]), [true, true, false, false])
  })

  test("at the provider signs out everywhere with all whom any of their sessions let in", function* () {
    const sessions = yield* PersonSessions
    const accounts = yield* Effect.all([makeAccount(), makeAccount()])
    const signIn = (subject: string, place: 0 | 1) =>
      sessions.signIn({
        identity: { name: "Ada", subject, memberships: [{ accountId: accounts[place].id, role: "admin" }] },
        present: null
      })
    const [desk, phone, namesake] = [
      yield* signIn("issuer ada", 0),
      yield* signIn("issuer ada", 1),
      yield* signIn("issuer other ada", 0)
    ]
    const guest = yield* letInBy(phone)

    yield* sessions.signOutEverywhere(desk.sessions)

    assert.deepStrictEqual(yield* stillIn([desk, phone, guest, namesake]), [false, false, false, true])
  })

  test("is put out of one account, and stays in the others of the same browser", function* () {
    const sessions = yield* PersonSessions
    const first = yield* makeSession()
    const both = yield* redeem(yield* makeAccountLink(), first)
    const [{ accountId, person: who }, stays] = both.sessions
    const guest = yield* letInBy(both)

    yield* sessions.endPerson({ accountId, person: who })

    const left = yield* sessions.open(both.token, "using")
    assert.deepStrictEqual(
      left.map((session) => session.id),
      [stays?.id]
    )
    assert.deepStrictEqual(yield* stillIn([guest]), [false])
  })
})
