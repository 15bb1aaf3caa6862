/** Signing in to the Integrations page and out of it, as the audit log tells of it. */
import { ConsoleLinkId, newId } from "@runhook/core/domain/Ids"
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { anAccount } from "../catalog/CatalogFixtures.ts"
import { aLink, aSession, newSession } from "../console/ConsoleFixtures.ts"
import { second } from "../Fixtures.ts"
import type { Arrangement } from "./AuditFixtures.ts"

const makeLink: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const id = yield* newId(ConsoleLinkId)
  const session = yield* newSession(accountId)
  const link = {
    id,
    tokenHash: `hash of ${id}`,
    accountId,
    role: "viewer" as const,
    name: "Ada",
    createdAt: second(0),
    expiresAt: second(900),
    usedAt: null
  }
  const use = store.redeem({ tokenHash: link.tokenHash, at: second(1), begin: () => session, replaces: null })
  return {
    accountId,
    act: store.createLink(link),
    // That there is a link is seen by using it.
    seen: Effect.suspend(() => Effect.option(use)),
    action: "session.link_made",
    subject: { kind: "session", id, name: "Ada" },
    before: null,
    after: { role: "viewer", expires_at: DateTime.formatIso(second(900)) }
  }
})

const begun = (method: "link" | "oidc") => ({
  role: "admin",
  method,
  expires_at: DateTime.formatIso(second(604_800))
})

const redeemLink: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const { tokenHash } = yield* aLink(accountId)
  const session = yield* newSession(accountId)
  return {
    accountId,
    act: store.redeem({ tokenHash, at: second(1), begin: () => session, replaces: null }),
    seen: store.find(session.tokenHash),
    action: "session.begun",
    actor: { kind: "member", id: session.id, name: "Ada" },
    subject: { kind: "session", id: session.id, name: "Ada" },
    before: null,
    after: begun("link")
  }
})

const signIn: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const session = yield* newSession(accountId, { method: "oidc", subject: "ada@example.com" })
  return {
    accountId,
    act: store.begin({ session, replaces: null }),
    seen: store.find(session.tokenHash),
    action: "session.begun",
    actor: { kind: "member", id: session.id, name: "Ada" },
    subject: { kind: "session", id: session.id, name: "Ada" },
    before: null,
    after: begun("oidc")
  }
})

const ending = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const session = yield* aSession(accountId)
  return {
    session,
    store,
    shown: {
      accountId,
      seen: store.find(session.tokenHash),
      action: "session.ended",
      subject: { kind: "session", id: session.id, name: "Ada" },
      before: { ended_at: null },
      after: { ended_at: DateTime.formatIso(second(60)) }
    } as const
  }
})

const signOut: Arrangement = Effect.map(ending, ({ session, shown, store }) => ({
  ...shown,
  act: store.end({ id: session.id, at: second(60) })
}))

const signOutEverywhere: Arrangement = Effect.map(ending, ({ session, shown, store }) => ({
  ...shown,
  act: store.endAll({ session, at: second(60) })
}))

export const changes: Readonly<Record<string, Arrangement>> = {
  "a link to sign in by": makeLink,
  "a session by a link": redeemLink,
  "a session by a provider": signIn,
  "a session that is ended": signOut,
  "all sessions of somebody": signOutEverywhere
}

/** Changes that find their work done, or nothing to work on: nobody is told of them. */
export const repeats: Readonly<Record<string, Arrangement>> = {
  "a link that is used again": Effect.map(
    Effect.tap(redeemLink, ({ act }) => act),
    ({ act, ...used }) => ({
      ...used,
      act: Effect.flip(act)
    })
  ),
  "a session that is ended again": Effect.tap(signOut, ({ act }) => act)
}
