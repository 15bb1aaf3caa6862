/** Links to the Integrations page, and the sessions of their tests. */
import type { SignInLink } from "@runhook/core/people/SignInLink"
import type { PersonSession } from "@runhook/core/people/PersonSession"
import { type AccountId, SignInLinkId, PersonSessionId, newId, PersonId } from "@runhook/core/shared/Ids"
import {
  PeopleStore,
  type Ending,
  type SignInAudit,
  type SignOutAudit
} from "@runhook/core/people/PeopleStore"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { second } from "../Fixtures.ts"

/** A link that is not stored yet, for a quarter of an hour. The hash of its token is its id, so that no two have the same. */
export const newLink = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<SignInLink> = {}
): Effect.fn.Return<SignInLink, never, SecureRandom> {
  const id = yield* newId(SignInLinkId)
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
export const makeLink = Effect.fnUntraced(function* (accountId: AccountId, fields: Partial<SignInLink> = {}) {
  const link = yield* newLink(accountId, fields)
  yield* PeopleStore.use((store) => store.createLink(link))
  return link
})

/** What a link has that the session made. */
export const madeWith = ({ id, name, person }: PersonSession) =>
  ({ person, maker: { kind: "member", id, name } }) as const

/** A session that is not stored yet, of a person of its own. */
export const newSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<PersonSession> = {}
): Effect.fn.Return<PersonSession, never, SecureRandom> {
  const id = yield* newId(PersonSessionId)
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
export const only = (session: PersonSession) => ({ begun: [session], kept: [], replaced: [] }) as const

/** A stored session. */
export const makeSession = Effect.fnUntraced(function* (
  accountId: AccountId,
  fields: Partial<PersonSession> = {}
) {
  const session = yield* newSession(accountId, fields)
  yield* PeopleStore.use((store) => store.begin(only(session)))
  return session
})

/** A stored session that a link of another began. */
export const makeSessionOf = (
  { accountId, id, person }: PersonSession,
  fields: Partial<PersonSession> = {}
) => makeSession(accountId, { person, maker: id, ...fields })

/** Uses a link for a session, in a browser that has none. */
export const redeem = (link: SignInLink, session: PersonSession, at = second(1), audit?: SignInAudit) =>
  PeopleStore.use((store) =>
    store.redeem({ tokenHash: link.tokenHash, at, present: [], begin: () => only(session), audit })
  )

/** Ends what the fields name, at the ninth second. */
export const end = (fields: Partial<Ending>, audit?: SignOutAudit) =>
  PeopleStore.use((store) =>
    store.end({ sessions: [], people: [], accountId: null, at: second(9), by: [], ...fields }, audit)
  )

/** When the sessions ended. */
export const endsOf = (sessions: ReadonlyArray<PersonSession>) =>
  PeopleStore.use((store) =>
    Effect.forEach(sessions, ({ accountId, id }) =>
      Effect.map(store.get(accountId, id), ({ endedAt }) => endedAt)
    )
  )
