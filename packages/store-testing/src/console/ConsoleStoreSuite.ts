/** What every ConsoleStore does. */
import { assert, describe, it } from "@effect/vitest"
import { ConsoleSessionId, newId } from "@runhook/core/domain/Ids"
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { anAccount } from "../catalog/CatalogFixtures.ts"
import { second, type Stores } from "../Fixtures.ts"
import { aLink, aSession, newSession } from "./ConsoleFixtures.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  describe(`ConsoleStore: ${name}`, () => {
    it.layer(layer)((it) => {
      it.effect("begins the session that is made of a link, and finds it by its token", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const link = yield* aLink(accountId, { role: "viewer", name: "Bo" })
          const session = yield* newSession(accountId, { subject: "a subject" })

          const begun = yield* store.redeem({
            tokenHash: link.tokenHash,
            at: second(899),
            begin: (used) => ({ ...session, name: used.name, memberships: [{ accountId, role: used.role }] }),
            replaces: null
          })

          assert.deepStrictEqual(begun, {
            ...session,
            name: "Bo",
            memberships: [{ accountId, role: "viewer" }]
          })
          assert.deepStrictEqual(yield* store.find(session.tokenHash), begun)
        })
      )

      it.effect("lets one of two have a link who use it at once", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { tokenHash } = yield* aLink(accountId)
          const sessions = yield* Effect.all([newSession(accountId), newSession(accountId)])

          const outcomes = yield* Effect.forEach(
            sessions,
            (session) =>
              Effect.isSuccess(
                store.redeem({ tokenHash, at: second(1), begin: () => session, replaces: null })
              ),
            { concurrency: "unbounded" }
          )

          const found = yield* Effect.forEach(sessions, (session) => store.find(session.tokenHash))
          assert.lengthOf(outcomes.filter(Boolean), 1)
          assert.deepStrictEqual(
            found.map((session) => session !== undefined),
            outcomes
          )
        })
      )

      it.effect("refuses a link that has expired, and one that nobody made", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { tokenHash } = yield* aLink(accountId)
          const session = yield* newSession(accountId)
          const redeem = (hash: string, at: DateTime.Utc) =>
            store.redeem({ tokenHash: hash, at, begin: () => session, replaces: null })

          const errors = [
            yield* Effect.flip(redeem(tokenHash, second(900))),
            yield* Effect.flip(redeem("never made", second(1)))
          ]

          assert.deepStrictEqual(
            errors.map(({ _tag }) => _tag),
            ["LinkUnusable", "LinkUnusable"]
          )
          assert.isUndefined(yield* store.find(session.tokenHash))
        })
      )

      it.effect("ends the session that another one replaces", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { tokenHash } = yield* aLink(accountId)
          const first = yield* aSession(accountId)
          const next = yield* newSession(accountId, { signedInAt: second(5) })
          const third = yield* newSession(accountId, { signedInAt: second(6) })

          yield* store.redeem({ tokenHash, at: second(5), begin: () => next, replaces: first.id })
          yield* store.begin({ session: third, replaces: next.id })

          const found = yield* Effect.forEach([first, next, third], (each) => store.find(each.tokenHash))
          assert.deepStrictEqual(
            found.map((session) => session?.endedAt ?? null),
            [second(5), second(6), null]
          )
        })
      )

      it.effect("finds no session of a token that nobody has", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore

          assert.isUndefined(yield* store.find(yield* newId(ConsoleSessionId)))
        })
      )

      it.effect("keeps the latest moment of use, and the first of ending", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { id, tokenHash } = yield* aSession(accountId)

          yield* store.touch({ id, at: second(120) })
          yield* store.touch({ id, at: second(60) })
          yield* store.end({ id, at: second(200) })
          yield* store.end({ id, at: second(300) })

          const found = yield* store.find(tokenHash)
          assert.deepStrictEqual([found?.lastSeenAt, found?.endedAt], [second(120), second(200)])
        })
      )

      it.effect("ends all sessions of one name in an account that they share, and no others", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { id: other } = yield* anAccount()
          const both = [
            { accountId: other, role: "viewer" },
            { accountId, role: "viewer" }
          ] as const
          const mine = yield* aSession(accountId)
          const onMyPhone = yield* aSession(other, { memberships: both })
          const kept = [
            yield* aSession(other),
            yield* aSession(accountId, { name: "Bo" }),
            yield* aSession(accountId, { method: "oidc", subject: "ada" })
          ]
          yield* aSession(accountId, { endedAt: second(1) })

          const ended = yield* store.endAll({ session: mine, at: second(9) })

          const found = yield* Effect.forEach([mine, onMyPhone, ...kept], (each) =>
            store.find(each.tokenHash)
          )
          assert.deepStrictEqual(ended.toSorted(), [mine.id, onMyPhone.id].toSorted())
          assert.deepStrictEqual(
            found.map((session) => session?.endedAt ?? null),
            [second(9), second(9), null, null, null]
          )
        })
      )

      it.effect("ends all sessions of somebody whom a provider knows, whatever they are called", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          const { id: other } = yield* anAccount()
          const subject = `ada at ${accountId}`
          const mine = yield* aSession(accountId, { method: "oidc", subject })
          const elsewhere = yield* aSession(other, { method: "oidc", subject, name: "Ada L." })
          yield* aSession(accountId, { method: "oidc", subject: `bo at ${accountId}` })

          const ended = yield* store.endAll({ session: mine, at: second(9) })

          assert.deepStrictEqual(ended.toSorted(), [mine.id, elsewhere.id].toSorted())
        })
      )

      it.effect("forgets what expired before an instant, in bites", () =>
        Effect.gen(function* () {
          const store = yield* ConsoleStore
          const { id: accountId } = yield* anAccount()
          // Long before all other tests, which share the database.
          const expiresAt = DateTime.makeUnsafe("2001-01-01T00:00:00.000Z")
          const sessions = [
            yield* aSession(accountId, { expiresAt }),
            yield* aSession(accountId, { expiresAt }),
            yield* aSession(accountId, { expiresAt: DateTime.add(expiresAt, { hours: 1 }) })
          ]
          yield* aLink(accountId, { expiresAt })
          const before = DateTime.add(expiresAt, { minutes: 1 })

          const bites = [
            yield* store.forget({ before, limit: 1 }),
            yield* store.forget({ before, limit: 1 }),
            yield* store.forget({ before, limit: 1 })
          ]

          const found = yield* Effect.forEach(sessions, (each) => store.find(each.tokenHash))
          assert.deepStrictEqual(
            bites.map(({ hasMore }) => hasMore),
            [true, true, false]
          )
          assert.deepStrictEqual(found, [undefined, undefined, sessions[2]])
        })
      )
    })
  })
