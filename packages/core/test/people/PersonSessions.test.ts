import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { startByLink } from "@runhook/core/people/SignInSessions"
import { type PersonSession, idleMax } from "@runhook/core/people/PersonSession"
import { AccountId, PersonSessionId, newId } from "@runhook/core/shared/Ids"
import { Signals } from "@runhook/core/signals/Signals"
import { PersonSessions } from "@runhook/core/people/PersonSessions"
import { test } from "@runhook/test-support/engine/Test"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import {
  ada,
  letInBy,
  makeAccount,
  makeAccountLink,
  makeLink,
  makeSession,
  redeem,
  stillIn,
  storedOf
} from "./SignedIn.ts"

describe("PersonSessions", () => {
  test("writes down once a minute at most that a session is in use, and never that it is watched", function* () {
    const sessions = yield* PersonSessions
    const signedIn = yield* makeSession()
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
  })

  test("ends twelve hours after it was used last, also one that is watched", function* () {
    const sessions = yield* PersonSessions
    const { token } = yield* makeSession()
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
  })

  test("ends after seven days, however often it is used", function* () {
    const sessions = yield* PersonSessions
    const { token } = yield* makeSession()
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
  })

  test("keeps the token of a link and of a session only as a hash that needs the pepper", function* () {
    const made = yield* makeAccountLink()
    const signedIn = yield* redeem(made)

    const texts = JSON.stringify([made.link, yield* storedOf(signedIn)])
    const [session] = signedIn.sessions
    assert.notInclude(texts, Redacted.value(made.token))
    assert.notInclude(texts, Redacted.value(signedIn.token))
    assert.match(made.link.tokenHash, /^[0-9a-f]{64}$/)
    assert.match(session.tokenHash, /^[0-9a-f]{64}$/)
    assert.notStrictEqual(made.link.tokenHash, session.tokenHash)
    for (const [kept, token] of [
      [made.link.tokenHash, made.token],
      [session.tokenHash, signedIn.token]
    ] as const)
      assert.notStrictEqual(kept, createHash("sha256").update(Redacted.value(token)).digest("hex"))
  })

  test("wakes whoever waits with a session when it ends, and when its browser has another cookie", function* () {
    const sessions = yield* PersonSessions
    const signals = yield* Signals
    const [left, moved, maker] = [yield* makeSession(), yield* makeSession(), yield* makeSession()]
    const guest = yield* letInBy(maker)
    const woken = yield* Effect.forEach([left, moved, maker, guest], ({ sessions: [{ id }] }) =>
      signals.subscribe([`key:${id}`])
    )

    yield* sessions.signOut(left.sessions)
    yield* redeem(yield* makeAccountLink(), moved)
    yield* sessions.end(maker.sessions[0])

    yield* Effect.all(woken)
    assert.deepStrictEqual(yield* stillIn([left, moved, maker, guest]), [false, false, false, false])
  })

  test("keeps the accounts of earlier links, each for as long as its own", function* () {
    const [first, company] = [yield* makeSession(), yield* makeSession()]
    const at = yield* DateTime.now
    const { link } = yield* makeAccountLink()
    const options = {
      id: yield* newId(PersonSessionId),
      tokenHash: "hash",
      fromAddress: null,
      at,
      maker: undefined
    }
    const [present] = first.sessions
    const sameAccount: PersonSession = { ...present, accountId: link.accountId }
    const atProvider: PersonSession = { ...company.sessions[0], method: "oidc" }

    const { begun, kept, replaced } = startByLink(link, {
      ...options,
      present: [present, sameAccount, atProvider]
    })

    assert.deepStrictEqual(
      begun.map(({ accountId, expiresAt }) => [accountId, Duration.toDays(DateTime.distance(at, expiresAt))]),
      [[link.accountId, 7]]
    )
    assert.deepStrictEqual([kept, replaced], [[present], [sameAccount, atProvider]])
  })

  test("calls somebody in each account as its own link does, and never as another's", function* () {
    const accounts = yield* Effect.all([makeAccount(), makeAccount()])
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
  })

  test("begins no session for somebody whose accounts are not there", function* () {
    const sessions = yield* PersonSessions
    const { id: accountId } = yield* makeAccount()
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
  })
})
