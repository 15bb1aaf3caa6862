/** Links to the Integrations page, and the sessions of their tests. */
import type { ConsoleLink } from "@runhook/core/domain/console/ConsoleLink"
import type { ConsoleSession } from "@runhook/core/domain/console/ConsoleSession"
import { type AccountId, ConsoleLinkId, ConsoleSessionId, newId, PersonId } from "@runhook/core/domain/Ids"
import {
  ConsoleStore,
  type Ending,
  type SignInAudit,
  type SignOutAudit
} from "@runhook/core/ports/ConsoleStore"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { second } from "../Fixtures.ts"

/** A link that is not stored yet, for a quarter of an hour. The hash of its token is its id, so that no two have the same. */
export const newLink = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ConsoleLink> = {}
): Effect.fn.Return<ConsoleLink, never, SecureRandom> {
  const id = yield* newId(ConsoleLinkId)
  return {
    id,
    tokenHash: `hash of ${id}`,
    accountId,
    role: "admin",
    name: "Ada",
    person: PersonId.make(id),
    maker: { kind: "operator", id: null, name: "Admin key 1" },
    createdAt: second(0),
    expiresAt: second(900),
    usedAt: null,
    withdrawnAt: null,
    ...fields
  }
})

/** A stored link. */
export const aLink = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<ConsoleLink> = {}) {
  const link = yield* newLink(accountId, fields)
  yield* ConsoleStore.use((store) => store.createLink(link))
  return link
})

/** What a link has that the session made. */
export const madeWith = ({ id, name, person }: ConsoleSession) =>
  ({ person, maker: { kind: "member", id, name } }) as const

/** A session that is not stored yet, of a person of its own. */
export const newSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ConsoleSession> = {}
): Effect.fn.Return<ConsoleSession, never, SecureRandom> {
  const id = yield* newId(ConsoleSessionId)
  return {
    id,
    tokenHash: `hash of ${id}`,
    accountId,
    role: "admin",
    name: "Ada",
    person: PersonId.make(id),
    method: "link",
    maker: null,
    fromAddress: null,
    signedInAt: second(0),
    lastSeenAt: second(0),
    expiresAt: second(604_800),
    endedAt: null,
    ...fields
  }
})

/** What a sign-in makes that replaces nothing. */
export const only = (session: ConsoleSession) => ({ begun: [session], kept: [], replaced: [] }) as const

/** A stored session. */
export const aSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<ConsoleSession> = {}
) {
  const session = yield* newSession(accountId, fields)
  yield* ConsoleStore.use((store) => store.begin(only(session)))
  return session
})

/** A stored session that a link of another began. */
export const aSessionOf = ({ accountId, id, person }: ConsoleSession, fields: Partial<ConsoleSession> = {}) =>
  aSession(accountId, { person, maker: id, ...fields })

/** Uses a link for a session, in a browser that has none. */
export const redeem = (link: ConsoleLink, session: ConsoleSession, at = second(1), audit?: SignInAudit) =>
  ConsoleStore.use((store) =>
    store.redeem({ tokenHash: link.tokenHash, at, present: [], begin: () => only(session), audit })
  )

/** Ends what the fields name, at the ninth second. */
export const end = (fields: Partial<Ending>, audit?: SignOutAudit) =>
  ConsoleStore.use((store) =>
    store.end({ sessions: [], people: [], accountId: null, at: second(9), by: [], ...fields }, audit)
  )

/** When the sessions ended. */
export const endsOf = (sessions: ReadonlyArray<ConsoleSession>) =>
  ConsoleStore.use((store) =>
    Effect.forEach(sessions, ({ accountId, id }) =>
      Effect.map(store.get(accountId, id), ({ endedAt }) => endedAt)
    )
  )
