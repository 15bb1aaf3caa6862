/** Signing in to the Integrations page and out of it, as the audit log tells of it. */
import type { ConsoleLink } from "@runhook/core/domain/console/ConsoleLink"
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import { ConsoleStore } from "@runhook/core/ports/ConsoleStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { anAccount } from "../catalog/CatalogFixtures.ts"
import {
  aLink,
  aSession,
  end,
  madeWith,
  newLink,
  newSession,
  only,
  redeem
} from "../console/ConsoleFixtures.ts"
import { second } from "../Fixtures.ts"
import type { Arrangement } from "./AuditFixtures.ts"

const makeLink: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const link = yield* newLink(accountId, { role: "viewer" })
  return {
    accountId,
    act: store.createLink(link),
    seen: store.listLinks(accountId, { after: null, limit: 9 }),
    action: "session.link_made",
    subject: { kind: "session", id: link.id, name: "Ada" },
    before: null,
    after: { role: "viewer", person: link.person, expires_at: DateTime.formatIso(second(900)) }
  }
})

/** A link that is withdrawn by what is done about it, and about the session that made it. */
const withdrawing = (
  act: (link: ConsoleLink) => Effect.Effect<unknown, unknown, ConsoleStore>
): Arrangement =>
  Effect.gen(function* () {
    const { id: accountId } = yield* anAccount()
    const store = yield* ConsoleStore
    const maker = yield* newSession(accountId)
    const link = yield* aLink(accountId, madeWith(maker))
    return {
      accountId,
      act: act(link),
      seen: store.listLinks(accountId, { after: null, limit: 9 }),
      action: "session.link_withdrawn",
      subject: { kind: "session", id: link.id, name: "Ada" },
      before: { withdrawn_at: null },
      after: { withdrawn_at: DateTime.formatIso(second(9)) }
    }
  })

const withdraw = withdrawing(({ accountId, id }) =>
  ConsoleStore.use((store) => store.withdraw({ accountId, id, at: second(9) }))
)

const begun = (method: "link" | "oidc", { id, person }: ConsoleSession) =>
  ({
    action: "session.begun",
    actor: { kind: "member", id, name: "Ada", person },
    subject: { kind: "session", id, name: "Ada" },
    before: null,
    after: { role: "admin", method, person, expires_at: DateTime.formatIso(second(604_800)) }
  }) as const

const redeemLink: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const link = yield* aLink(accountId)
  const session = yield* newSession(accountId)
  return {
    ...begun("link", session),
    accountId,
    act: redeem(link, session),
    seen: store.find(session.tokenHash)
  }
})

const signIn: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* anAccount()
  const store = yield* ConsoleStore
  const session = yield* newSession(accountId, { method: "oidc" })
  return {
    ...begun("oidc", session),
    accountId,
    act: store.begin(only(session)),
    seen: store.find(session.tokenHash)
  }
})

/** A session that ends by what is done about it. */
const ending = (act: (session: ConsoleSession) => ReturnType<typeof end>, isOwn = false): Arrangement =>
  Effect.gen(function* () {
    const { id: accountId } = yield* anAccount()
    const store = yield* ConsoleStore
    const session = yield* aSession(accountId)
    const { id, person } = session
    return {
      accountId,
      act: act(session),
      seen: store.find(session.tokenHash),
      action: "session.ended",
      ...(isOwn ? { actor: { kind: "member", id, name: "Ada", person } } : {}),
      subject: { kind: "session", id, name: "Ada" },
      before: { ended_at: null },
      after: { ended_at: DateTime.formatIso(second(9)) }
    }
  })

const putOut = ending(({ id }) => end({ sessions: [id] }))

export const changes: Readonly<Record<string, Arrangement>> = {
  "a link to sign in by": makeLink,
  "a link that is withdrawn": withdraw,
  "a link whose maker is put out": withdrawing((link) => end({ people: [link.person] })),
  "a session by a link": redeemLink,
  "a session by a provider": signIn,
  "a session that others end": putOut,
  "a session that ends itself": ending((session) => end({ sessions: [session.id], by: [session] }), true),
  "all sessions of somebody": ending(({ person }) => end({ people: [person] }))
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
  "a link that is withdrawn again": Effect.tap(withdraw, ({ act }) => act),
  "a session that is ended again": Effect.tap(putOut, ({ act }) => act)
}
