/** A session of a person on the Integrations page, in one browser. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { Name } from "../account/Account.ts"
import { type AccountId, ConsoleSessionId } from "../Ids.ts"
import type { ConsoleLink } from "./ConsoleLink.ts"
import { Membership } from "./Membership.ts"

/** By a link, or at the operator's OpenID Connect provider. */
export const SignInMethod = Schema.Literals(["link", "oidc"])
export type SignInMethod = typeof SignInMethod.Type

export const ConsoleSession = Schema.Struct({
  id: ConsoleSessionId,
  /** SHA-256 of the token in the browser's cookie, hex. */
  tokenHash: Schema.String,
  /** The person's name from the link or the provider. */
  name: Name,
  method: SignInMethod,
  /** The person at the provider, for good; null for a person who came by a link. */
  subject: Schema.NullOr(Schema.String),
  /** At least one, as they were when the session began. */
  memberships: Schema.Array(Membership),
  signedInAt: Schema.DateTimeUtc,
  /** To the minute. */
  lastSeenAt: Schema.DateTimeUtc,
  /** When it ends in any case. */
  expiresAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type ConsoleSession = typeof ConsoleSession.Type

/** A session ends after this long without use. */
export const idleMax = Duration.hours(12)

/** A session ends after this long, used or not. */
export const sessionMax = Duration.days(7)

/** How often, at most, the use of a session is recorded. */
export const seenEvery = Duration.minutes(1)

/** How long ended sessions and used links are kept, for looking into what happened. */
export const keptFor = Duration.days(30)

/** When it ends unless it is used before. */
export const idleExpiresAt = ({ expiresAt, lastSeenAt }: ConsoleSession): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(lastSeenAt, idleMax), expiresAt)

export const isOpen = (session: ConsoleSession, at: DateTime.Utc): boolean =>
  session.endedAt === null && DateTime.isLessThan(at, idleExpiresAt(session))

/** Whether it is time to record that the session is in use. */
export const isSeenAnew = ({ lastSeenAt }: ConsoleSession, at: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(at, DateTime.addDuration(lastSeenAt, seenEvery))

/**
 * The session that a link begins. A person who is already signed in by another link
 * keeps those accounts, no longer than before; if both links are for one account,
 * the newer one decides.
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

/**
 * Whether two sessions belong to one person: by the provider's word, or by the name
 * of their links in an account that both have.
 */
export const isSamePerson = (one: ConsoleSession, other: ConsoleSession): boolean =>
  one.method === other.method &&
  (one.method === "oidc"
    ? one.subject === other.subject
    : one.name === other.name && accountsOf(one).some((id) => accountsOf(other).includes(id)))

export const accountsOf = ({ memberships }: ConsoleSession): ReadonlyArray<AccountId> =>
  memberships.map(({ accountId }) => accountId)
