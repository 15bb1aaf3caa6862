/** The time that somebody is signed in to the Integrations page, in one browser. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { Name } from "../account/Account.ts"
import type { ConsoleLink } from "./ConsoleLink.ts"
import { type AccountId, ConsoleSessionId } from "../Ids.ts"
import { Membership } from "./Membership.ts"

/** By a link that somebody was given, or at the OpenID Connect provider of the operator. */
export const SignInMethod = Schema.Literals(["link", "oidc"])
export type SignInMethod = typeof SignInMethod.Type

export const ConsoleSession = Schema.Struct({
  id: ConsoleSessionId,
  /** SHA-256 of the token in the browser's cookie, hex. */
  tokenHash: Schema.String,
  /** What the link or the provider calls them. */
  name: Name,
  method: SignInMethod,
  /** Who it is at the provider, for good; null for whoever came by a link. */
  subject: Schema.NullOr(Schema.String),
  /** At least one, as they were when the session began. */
  memberships: Schema.Array(Membership),
  signedInAt: Schema.DateTimeUtc,
  /** To the minute. */
  lastSeenAt: Schema.DateTimeUtc,
  /** When it ends whatever happens. */
  expiresAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type ConsoleSession = typeof ConsoleSession.Type

/** A session ends when nobody has used it for so long. */
export const idleMax = Duration.hours(12)

/** A session ends after so long, used or not. */
export const sessionMax = Duration.days(7)

/** That a session is in use is written down so often at most. */
export const seenEvery = Duration.minutes(1)

/** Ended sessions and used links are kept for so long, for whoever looks into what happened. */
export const keptFor = Duration.days(30)

/** When it ends unless it is used until then. */
export const idleExpiresAt = ({ expiresAt, lastSeenAt }: ConsoleSession): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(lastSeenAt, idleMax), expiresAt)

export const isOpen = (session: ConsoleSession, at: DateTime.Utc): boolean =>
  session.endedAt === null && DateTime.isLessThan(at, idleExpiresAt(session))

/** Whether it is time to write down that the session is in use. */
export const isSeenAnew = ({ lastSeenAt }: ConsoleSession, at: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(at, DateTime.addDuration(lastSeenAt, seenEvery))

/**
 * The session that a link begins. Whoever is signed in by another link keeps
 * its accounts, and these no longer than before; the newer link decides where
 * both are for one account.
 */
export const begunBy = (
  link: ConsoleLink,
  options: {
    readonly id: ConsoleSessionId
    readonly tokenHash: string
    readonly at: DateTime.Utc
    readonly previous: ConsoleSession | null
  }
): ConsoleSession => {
  const { at, id, previous, tokenHash } = options
  const kept = previous?.method === "link" && isOpen(previous, at) ? previous : null
  const end = DateTime.addDuration(at, sessionMax)
  const others = kept?.memberships.filter(({ accountId }) => accountId !== link.accountId) ?? []
  return {
    id,
    tokenHash,
    name: link.name,
    method: "link",
    subject: null,
    memberships: [{ accountId: link.accountId, role: link.role }, ...others],
    signedInAt: at,
    lastSeenAt: at,
    expiresAt: others.length > 0 && kept !== null ? DateTime.min(end, kept.expiresAt) : end,
    endedAt: null
  }
}

/** Whether two sessions are of one person: by the provider's word, or by the name of their links in an account that both have. */
export const isSamePerson = (one: ConsoleSession, other: ConsoleSession): boolean =>
  one.method === other.method &&
  (one.method === "oidc"
    ? one.subject === other.subject
    : one.name === other.name && accountsOf(one).some((id) => accountsOf(other).includes(id)))

export const accountsOf = ({ memberships }: ConsoleSession): ReadonlyArray<AccountId> =>
  memberships.map(({ accountId }) => accountId)
