import { assert, describe, it } from "@effect/vitest"
import { CurrentActor, theService } from "@runhook/core/domain/account/Actor"
import { begunBy } from "@runhook/core/domain/console/Beginning"
import { actorOf, type ConsoleSession, idleMax } from "@runhook/core/domain/console/ConsoleSession"
import { AccountId, ConsoleSessionId, newId } from "@runhook/core/domain/Ids"
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import { Signals } from "@runhook/core/ports/Signals"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { ConsoleSessions, type SignedIn } from "@runhook/core/usecases/ConsoleSessions"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import { engine } from "./Engine.ts"

const validFor = Duration.minutes(15)

const anAccount = Effect.flatMap(Accounts, (accounts) => accounts.create("Acme"))

const makeLink = (accountId: AccountId, name = "Ada") =>
  ConsoleSessions.use((sessions) => sessions.makeLink({ accountId, role: "admin", name, validFor }))

/** A link to a new account. */
const aLink = Effect.flatMap(anAccount, ({ id }) => makeLink(id))

/** Uses a link. */
const redeem = ({ token }: Effect.Success<typeof aLink>, present: SignedIn | null = null) =>
  ConsoleSessions.use((sessions) => sessions.redeem({ token, present: present && present.token }))

/** Somebody who has signed in by a link. */
const aSession = Effect.flatMap(aLink, (link) => redeem(link))

/** Somebody whom a member has let in. */
const letInBy = ({ sessions: [maker] }: SignedIn, name?: string) =>
  makeLink(maker.accountId, name).pipe(
    Effect.provideService(CurrentActor, { ...theService, ...actorOf(maker) }),
    Effect.flatMap((link) => redeem(link))
  )

/** Which of them are still signed in. */
const stillIn = (all: ReadonlyArray<SignedIn>) =>
  ConsoleSessions.use((sessions) =>
    Effect.forEach(all, ({ token }) => Effect.isSuccess(sessions.open(token, "using")))
  )

const storedOf = ({ sessions: [session] }: SignedIn) =>
  ConsoleStore.use((store) => store.get(session.accountId, session.id))

const ada = { subject: "issuer ada", name: "Ada" }

describe("ConsoleSessions", () => {
  it.effect("writes down once a minute at most that a session is in use, and never that it is watched", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const signedIn = yield* aSession
      const begun = signedIn.sessions[0].signedInAt
      const secondsKept = Effect.fnUntraced(function* (after: Duration.Input, how: "using" | "watching") {
        yield* TestClock.adjust(after)
        yield* sessions.open(signedIn.token, how)
        return Duration.toSeconds(DateTime.distance(begun, (yield* storedOf(signedIn)).lastSeenAt))
      })

      const seconds = [
        yield* secondsKept("59 seconds", "using"),
        yield* secondsKept("1 second", "watching"),
        yield* secondsKept("0 seconds", "using"),
        yield* secondsKept("59 seconds", "using"),
        yield* secondsKept("1 second", "using")
      ]

      assert.deepStrictEqual(seconds, [0, 0, 60, 60, 120])
    }).pipe(Effect.provide(engine))
  )

  it.effect("ends twelve hours after it was used last, also one that is watched", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const { token } = yield* aSession
      const isIn = Effect.fnUntraced(function* (after: Duration.Input, how: "using" | "watching") {
        yield* TestClock.adjust(after)
        return yield* Effect.isSuccess(sessions.open(token, how))
      })

      const found = [
        yield* isIn("11 hours", "using"),
        yield* isIn(Duration.subtract(idleMax, Duration.millis(1)), "watching"),
        yield* isIn("1 milli", "using")
      ]

      assert.deepStrictEqual(found, [true, true, false])
    }).pipe(Effect.provide(engine))
  )

  it.effect("ends after seven days, however often it is used", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const { token } = yield* aSession
      const isIn = Effect.fnUntraced(function* (after: Duration.Input) {
        yield* TestClock.adjust(after)
        return yield* Effect.isSuccess(sessions.open(token, "using"))
      })

      const found = [
        ...(yield* Effect.forEach(Array.from({ length: 20 }), () => isIn("8 hours"))),
        yield* isIn(Duration.subtract(Duration.hours(8), Duration.millis(1))),
        yield* isIn("1 milli")
      ]

      assert.deepStrictEqual(found, [...Array.from({ length: 21 }, () => true), false])
    }).pipe(Effect.provide(engine))
  )

  it.effect("keeps neither the token of a link nor that of a session", () =>
    Effect.gen(function* () {
      const made = yield* aLink
      const signedIn = yield* redeem(made)

      const texts = JSON.stringify([made.link, yield* storedOf(signedIn)])
      const [session] = signedIn.sessions
      assert.notInclude(texts, Redacted.value(made.token))
      assert.notInclude(texts, Redacted.value(signedIn.token))
      assert.match(made.link.tokenHash, /^[0-9a-f]{64}$/)
      assert.match(session.tokenHash, /^[0-9a-f]{64}$/)
      assert.notStrictEqual(made.link.tokenHash, session.tokenHash)
    }).pipe(Effect.provide(engine))
  )

  it.effect("wakes whoever waits with a session when it ends, and when its browser has another cookie", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const signals = yield* Signals
      const [left, moved, maker] = [yield* aSession, yield* aSession, yield* aSession]
      const guest = yield* letInBy(maker)
      const woken = yield* Effect.forEach([left, moved, maker, guest], ({ sessions: [{ id }] }) =>
        signals.subscribe([`key:${id}`])
      )

      yield* sessions.signOut(left.sessions)
      yield* redeem(yield* aLink, moved)
      yield* sessions.end(maker.sessions[0])

      yield* Effect.all(woken)
      assert.deepStrictEqual(yield* stillIn([left, moved, maker, guest]), [false, false, false, false])
    }).pipe(Effect.scoped, Effect.provide(engine))
  )

  it.effect("keeps the accounts of earlier links, each for as long as its own", () =>
    Effect.gen(function* () {
      const [first, company] = [yield* aSession, yield* aSession]
      const at = yield* DateTime.now
      const { link } = yield* aLink
      const options = {
        id: yield* newId(ConsoleSessionId),
        tokenHash: "hash",
        fromAddress: null,
        at,
        makerExpiresAt: null
      }
      const [present] = first.sessions
      const sameAccount: ConsoleSession = { ...present, accountId: link.accountId }
      const atProvider: ConsoleSession = { ...company.sessions[0], method: "oidc" }

      const { begun, kept, replaced } = begunBy(link, {
        ...options,
        present: [present, sameAccount, atProvider]
      })

      assert.deepStrictEqual(
        begun.map(({ accountId, expiresAt }) => [
          accountId,
          Duration.toDays(DateTime.distance(at, expiresAt))
        ]),
        [[link.accountId, 7]]
      )
      assert.deepStrictEqual([kept, replaced], [[present], [sameAccount, atProvider]])
    }).pipe(Effect.provide(engine))
  )

  it.effect("calls somebody in each account as its own link does, and never as another's", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.all([anAccount, anAccount])
      const viewer = yield* Effect.flatMap(makeLink(accounts[0].id, "Vic"), (link) => redeem(link))

      const both = yield* Effect.flatMap(makeLink(accounts[1].id, "Ada"), (link) => redeem(link, viewer))

      assert.deepStrictEqual(
        both.sessions.map(({ accountId, name, person }) => [accountId, name, person]),
        [
          [accounts[1].id, "Ada", both.sessions[0].person],
          [accounts[0].id, "Vic", viewer.sessions[0].person]
        ]
      )
      assert.notStrictEqual(both.sessions[0].person, viewer.sessions[0].person)
    }).pipe(Effect.provide(engine))
  )

  it.effect("begins no session for somebody whose accounts are not there", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const { id: accountId } = yield* anAccount
      const there = { accountId, role: "admin" } as const
      const gone = { accountId: yield* newId(AccountId), role: "admin" } as const

      const signedIn = yield* sessions.signIn({
        identity: { ...ada, memberships: [there, gone] },
        present: null
      })
      const refused = yield* Effect.flip(
        sessions.signIn({ identity: { ...ada, memberships: [gone] }, present: null })
      )

      assert.deepStrictEqual(
        signedIn.sessions.map(({ role, ...each }) => ({ accountId: each.accountId, role })),
        [there]
      )
      assert.strictEqual(refused._tag, "NoAccount")
    }).pipe(Effect.provide(engine))
  )
})

describe("a person", () => {
  it.effect("is a subject of the provider, whatever the account and the name, and tells nothing of it", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const signIn = Effect.fnUntraced(function* (identity: {
        readonly subject: string
        readonly name: string
      }) {
        const memberships = [{ accountId: (yield* anAccount).id, role: "viewer" } as const]
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
    }).pipe(Effect.provide(engine))
  )

  it.effect("begins with the link of an operator, and is kept by all whom they let in", () =>
    Effect.gen(function* () {
      const { id: accountId } = yield* anAccount
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
    }).pipe(Effect.provide(engine))
  )

  it.effect("lets nobody in for longer than they are in themselves", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const maker = yield* aSession
      yield* Effect.replicateEffect(
        Effect.andThen(TestClock.adjust("11 hours"), sessions.open(maker.token, "using")),
        14
      )

      const guest = yield* letInBy(maker)

      assert.deepStrictEqual(guest.sessions[0].expiresAt, maker.sessions[0].expiresAt)
    }).pipe(Effect.provide(engine))
  )

  it.effect(
    "signs out with all whom they let in, and so on, and no link of theirs lets anybody in again",
    () =>
      Effect.gen(function* () {
        const sessions = yield* ConsoleSessions
        const maker = yield* aSession
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
      }).pipe(Effect.provide(engine))
  )

  it.effect("whom a member let in signs out nobody but those whom they let in, also everywhere", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const maker = yield* aSession
      const [guest, beside] = [yield* letInBy(maker), yield* letInBy(maker)]
      const guestOfGuest = yield* letInBy(guest)

      yield* sessions.signOutEverywhere(guest.sessions)

      assert.deepStrictEqual(yield* stillIn([maker, beside, guest, guestOfGuest]), [true, true, false, false])
    }).pipe(Effect.provide(engine))
  )

  it.effect("at the provider signs out everywhere with all whom any of their sessions let in", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const accounts = yield* Effect.all([anAccount, anAccount])
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
    }).pipe(Effect.provide(engine))
  )

  it.effect("is put out of one account, and stays in the others of the same browser", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const first = yield* aSession
      const both = yield* redeem(yield* aLink, first)
      const [{ accountId, person: who }, stays] = both.sessions
      const guest = yield* letInBy(both)

      yield* sessions.endPerson({ accountId, person: who })

      const left = yield* sessions.open(both.token, "using")
      assert.deepStrictEqual(
        left.map((session) => session.id),
        [stays?.id]
      )
      assert.deepStrictEqual(yield* stillIn([guest]), [false])
    }).pipe(Effect.provide(engine))
  )
})
