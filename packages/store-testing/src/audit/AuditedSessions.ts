/** Signing in to the Integrations page and out of it, as the audit log tells of it. */
import type { Actor } from "@runhook/core/audit/Actor"
import { auditBy } from "@runhook/core/audit/AuditEntry"
import { linkMade, linkWithdrawn, sessionBegun, sessionEnded } from "@runhook/core/audit/SessionEvents"
import type { SignInLink } from "@runhook/core/people/SignInLink"
import type { PersonSession } from "@runhook/core/people/PersonSession"
import { PeopleStore, type SignInAudit } from "@runhook/core/people/PeopleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { makeAccount } from "../catalog/CatalogFixtures.ts"
import {
  end,
  madeWith,
  makeLink,
  makeSession,
  newLink,
  newSession,
  only,
  redeem
} from "../people/PeopleFixtures.ts"
import { second } from "../Fixtures.ts"
import { type Arrangement, by, jana } from "./AuditFixtures.ts"

const linkArrangement: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const store = yield* PeopleStore
  const link = yield* newLink(accountId, { role: "viewer" })
  return {
    accountId,
    act: (actor) => store.createLink(link, by(actor, linkMade)),
    seen: store.listLinks(accountId, { after: null, limit: 9 }),
    action: "session.link_made",
    subject: { kind: "session", id: link.id, name: "Ada" },
    before: null,
    after: { role: "viewer", person: link.person, expires_at: DateTime.formatIso(second(900)) }
  }
})

/** What is recorded of sessions that begin and end, and of links that end with them. */
const signIn = (actor: Actor | null): SignInAudit | undefined =>
  actor === null
    ? undefined
    : {
        begun: auditBy(actor, sessionBegun),
        ended: auditBy(actor, sessionEnded),
        withdrawn: auditBy(actor, linkWithdrawn)
      }

/** A link that is withdrawn by what is done about it, and about the session that made it. */
const withdrawing = (
  act: (link: SignInLink, actor: Actor | null) => Effect.Effect<unknown, unknown, PeopleStore>
): Arrangement =>
  Effect.gen(function* () {
    const { id: accountId } = yield* makeAccount()
    const store = yield* PeopleStore
    const maker = yield* newSession(accountId)
    const link = yield* makeLink(accountId, madeWith(maker))
    return {
      accountId,
      act: (actor) => act(link, actor),
      seen: store.listLinks(accountId, { after: null, limit: 9 }),
      action: "session.link_withdrawn",
      subject: { kind: "session", id: link.id, name: "Ada" },
      before: { withdrawn_at: null },
      after: { withdrawn_at: DateTime.formatIso(second(9)) }
    }
  })

const withdraw = withdrawing(({ accountId, id }, actor) => {
  const at = second(9)
  const audit = by(actor, (link: SignInLink) => linkWithdrawn(link, { at, by: [] }))
  return PeopleStore.use((store) => store.withdraw({ accountId, id, at, audit }))
})

const begun = (method: "link" | "oidc", { id, person }: PersonSession) =>
  ({
    action: "session.begun",
    actor: { kind: "member", id, name: "Ada", person },
    subject: { kind: "session", id, name: "Ada" },
    before: null,
    after: { role: "admin", method, person, expires_at: DateTime.formatIso(second(604_800)) }
  }) as const

const redeemLink: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const store = yield* PeopleStore
  const link = yield* makeLink(accountId)
  const session = yield* newSession(accountId)
  return {
    ...begun("link", session),
    accountId,
    act: (actor) => redeem(link, session, second(1), signIn(actor)),
    seen: store.find(session.tokenHash)
  }
})

const beginSession: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const store = yield* PeopleStore
  const session = yield* newSession(accountId, { method: "oidc" })
  return {
    ...begun("oidc", session),
    accountId,
    act: (actor) => store.begin(only(session), signIn(actor)),
    seen: store.find(session.tokenHash)
  }
})

/** A session that ends by what is done about it. */
const ending = (ended: (session: PersonSession) => Parameters<typeof end>[0], isOwn = false): Arrangement =>
  Effect.gen(function* () {
    const { id: accountId } = yield* makeAccount()
    const store = yield* PeopleStore
    const session = yield* makeSession(accountId)
    const { id, person } = session
    return {
      accountId,
      act: (actor) => end(ended(session), signIn(actor)),
      seen: store.find(session.tokenHash),
      action: "session.ended",
      ...(isOwn ? { actor: { kind: "member", id, name: "Ada", person } } : {}),
      subject: { kind: "session", id, name: "Ada" },
      before: { ended_at: null },
      after: { ended_at: DateTime.formatIso(second(9)) }
    }
  })

const putOut = ending(({ id }) => ({ sessions: [id] }))

export const changes: Readonly<Record<string, Arrangement>> = {
  "a link to sign in by": linkArrangement,
  "a link that is withdrawn": withdraw,
  "a link whose maker is put out": withdrawing(({ person }, actor) =>
    end({ people: [person] }, signIn(actor))
  ),
  "a session by a link": redeemLink,
  "a session by a provider": beginSession,
  "a session that others end": putOut,
  "a session that ends itself": ending((session) => ({ sessions: [session.id], by: [session] }), true),
  "all sessions of somebody": ending(({ person }) => ({ people: [person] }))
}

/** Changes that find their work done, or nothing to work on: nobody is told of them. */
export const repeats: Readonly<Record<string, Arrangement>> = {
  "a link that is used again": Effect.map(
    Effect.tap(redeemLink, ({ act }) => act(jana)),
    ({ act, ...used }) => ({
      ...used,
      act: (actor) => Effect.flip(act(actor))
    })
  ),
  "a link that is withdrawn again": Effect.tap(withdraw, ({ act }) => act(jana)),
  "a session that is ended again": Effect.tap(putOut, ({ act }) => act(jana))
}
