import { assert, describe, it } from "@effect/vitest"
import { begunBy } from "@runhook/core/domain/console/ConsoleSession"
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

/** A link to a new account. */
const aLink = Effect.fnUntraced(function* (name = "Ada") {
  const { id: accountId } = yield* anAccount
  return yield* ConsoleSessions.use((sessions) =>
    sessions.makeLink({ accountId, role: "admin", name, validFor })
  )
})

/** Somebody who has signed in by a link. */
const aSession = Effect.gen(function* () {
  const { token } = yield* aLink()
  return yield* ConsoleSessions.use((sessions) => sessions.redeem({ token, present: null }))
})

const kept = ({ session }: SignedIn) => ConsoleStore.use((store) => store.find(session.tokenHash))

describe("ConsoleSessions", () => {
  it.effect("writes down once a minute at most that a session is in use, and never that it is watched", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const signedIn = yield* aSession
      const begun = signedIn.session.signedInAt
      const secondsKept = Effect.fnUntraced(function* (after: Duration.Input, how: "using" | "watching") {
        yield* TestClock.adjust(after)
        yield* sessions.open(signedIn.token, how)
        const session = yield* kept(signedIn)
        return session && Duration.toSeconds(DateTime.distance(begun, session.lastSeenAt))
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

  it.effect("keeps neither the token of a link nor that of a session", () =>
    Effect.gen(function* () {
      const { link, token } = yield* aLink()
      const signedIn = yield* ConsoleSessions.use((sessions) => sessions.redeem({ token, present: null }))

      const texts = JSON.stringify([link, yield* kept(signedIn)])
      assert.notInclude(texts, Redacted.value(token))
      assert.notInclude(texts, Redacted.value(signedIn.token))
      assert.match(link.tokenHash, /^[0-9a-f]{64}$/)
      assert.match(signedIn.session.tokenHash, /^[0-9a-f]{64}$/)
      assert.notStrictEqual(link.tokenHash, signedIn.session.tokenHash)
    }).pipe(Effect.provide(engine))
  )

  it.effect("wakes whoever waits with a session when it ends, also by another that replaces it", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const signals = yield* Signals
      const [left, replaced] = [yield* aSession, yield* aSession]
      const woken = yield* Effect.forEach([left, replaced], ({ session }) =>
        signals.subscribe([`key:${session.id}`])
      )
      const { token } = yield* aLink()

      yield* sessions.signOut(left.session)
      yield* sessions.redeem({ token, present: replaced.token })

      yield* Effect.all(woken)
      const opened = yield* Effect.forEach([left, replaced], (each) =>
        Effect.isSuccess(sessions.open(each.token, "using"))
      )
      assert.deepStrictEqual(opened, [false, false])
    }).pipe(Effect.scoped, Effect.provide(engine))
  )

  it.effect("keeps the accounts of an earlier link no longer than that one would have", () =>
    Effect.gen(function* () {
      const first = yield* aSession
      yield* TestClock.adjust("6 days")
      const at = yield* DateTime.now
      const previous = { ...first.session, lastSeenAt: at }
      const { link } = yield* aLink()
      const id = yield* newId(ConsoleSessionId)
      const begin = (before: typeof previous | null) =>
        begunBy(link, { id, tokenHash: "hash", at, previous: before })

      const [alone, both, idle, company] = [
        begin(null),
        begin(previous),
        begin(first.session),
        begin({ ...previous, method: "oidc" })
      ]

      assert.deepStrictEqual(
        [alone, both, idle, company].map(({ expiresAt, memberships }) => [
          memberships.length,
          Duration.toDays(DateTime.distance(at, expiresAt))
        ]),
        [
          [1, 7],
          [2, 1],
          [1, 7],
          [1, 7]
        ]
      )
    }).pipe(Effect.provide(engine))
  )

  it.effect("begins no session for somebody whose accounts are not there", () =>
    Effect.gen(function* () {
      const sessions = yield* ConsoleSessions
      const { session } = yield* aSession
      const person = { subject: "issuer ada", name: "Ada" }
      const gone = { accountId: yield* newId(AccountId), role: "admin" } as const

      const signedIn = yield* sessions.signIn({
        identity: { ...person, memberships: [...session.memberships, gone] },
        present: null
      })
      const refused = yield* Effect.flip(
        sessions.signIn({ identity: { ...person, memberships: [gone] }, present: null })
      )

      assert.deepStrictEqual(signedIn.session.memberships, session.memberships)
      assert.strictEqual(refused._tag, "NoAccount")
    }).pipe(Effect.provide(engine))
  )
})
