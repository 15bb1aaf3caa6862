/**
 * A session of a person on the Integrations page, in one account and one browser.
 * The cookie of a browser opens all of its sessions. Pure functions.
 */
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import type { Identity } from "../audit/Actor.ts"
import { AccountId, PersonSessionId, PersonId } from "../shared/Ids.ts"
import { Role } from "./Membership.ts"

/** By a link, or at the operator's OpenID Connect provider. */
export const SignInMethod = Schema.Literals(["link", "oidc"])
export type SignInMethod = typeof SignInMethod.Type

export const PersonSession = Schema.Struct({
  id: PersonSessionId,
  /** SHA-256 of the token in the browser's cookie, hex. */
  tokenHash: Schema.String,
  accountId: AccountId,
  role: Role,
  /** The person's name from the link or the provider. */
  name: Name,
  person: PersonId,
  method: SignInMethod,
  /** The session whose link began it; null for the link of an operator, and for a provider. */
  maker: Schema.NullOr(PersonSessionId),
  /** Where it was begun from, if that is known. */
  fromAddress: Schema.NullOr(Schema.String),
  signedInAt: Schema.DateTimeUtc,
  /** To the minute. */
  lastSeenAt: Schema.DateTimeUtc,
  /** When it ends in any case. */
  expiresAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type PersonSession = typeof PersonSession.Type

/** The open sessions of one browser, the newest first. */
export type BrowserSessions = NonEmptyReadonlyArray<PersonSession>

/** A session ends after this long without use. */
export const idleMax = Duration.hours(12)

/** A session ends after this long, used or not. */
export const sessionMax = Duration.days(7)

/** How often, at most, the use of a session is recorded. */
export const seenEvery = Duration.minutes(1)

/** How long ended sessions and used links are kept, for looking into what happened. */
export const keptFor = Duration.days(30)

/** When it ends unless it is used before. */
export const idleExpiresAt = ({ expiresAt, lastSeenAt }: PersonSession): DateTime.Utc =>
  DateTime.min(DateTime.addDuration(lastSeenAt, idleMax), expiresAt)

export const isOpen = (session: PersonSession, at: DateTime.Utc): boolean =>
  session.endedAt === null && DateTime.isLessThan(at, idleExpiresAt(session))

/** Whether it is time to record that the session is in use. */
export const isSeenAnew = ({ lastSeenAt }: PersonSession, at: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(at, DateTime.addDuration(lastSeenAt, seenEvery))

/** The last of the moments that the sessions of a browser have. */
export const lastOf = (
  sessions: BrowserSessions,
  momentOf: (session: PersonSession) => DateTime.Utc
): DateTime.Utc => sessions.map(momentOf).reduce((one, other) => DateTime.max(one, other))

/** Who acts with the session. */
export const actorOf = ({ id, name, person }: PersonSession): Identity => ({
  kind: "member",
  id,
  name,
  person
})
