/** A link that signs a person in to the Integrations page of one account, once. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { ActorKind, type Identity } from "../audit/Actor.ts"
import { AccountId, SignInLinkId, PersonSessionId, PersonId } from "../shared/Ids.ts"
import { type PersonSession, isOpen } from "./PersonSession.ts"
import { Role } from "./Membership.ts"

export const SignInLink = Schema.Struct({
  id: SignInLinkId,
  /** SHA-256 of the token that the link carries, hex. */
  tokenHash: Schema.String,
  accountId: AccountId,
  role: Role,
  /** The name of the person, for the audit log. */
  name: Name,
  /** The person that its user becomes. */
  person: PersonId,
  /** Who made it. The id is that of a member's session, and null for all others. */
  maker: Schema.Struct({ kind: ActorKind, id: Schema.NullOr(PersonSessionId), name: Schema.String }),
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  usedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When it was made unusable before anybody used it. */
  withdrawnAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type SignInLink = typeof SignInLink.Type

/** The name when the maker of the link gave none. */
export const linkNameDefault = "Somebody with a link"

/** How long a link is valid. */
export const linkSeconds = { min: 60, max: 86_400, default: 900 } as const

/**
 * How many sessions and links a person may have open in an account when a member
 * makes another link, and how many sessions by a provider. Ending more
 * than that at once would take too long.
 */
export const openMax = 100

/** What can be done with a link. */
export const LinkState = Schema.Literals(["open", "used", "withdrawn", "expired"])
export type LinkState = typeof LinkState.Type

export const stateOf = (
  { expiresAt, usedAt, withdrawnAt }: Pick<SignInLink, "expiresAt" | "usedAt" | "withdrawnAt">,
  at: DateTime.Utc
): LinkState => {
  if (usedAt !== null) return "used"
  if (withdrawnAt !== null) return "withdrawn"
  return DateTime.isLessThan(at, expiresAt) ? "open" : "expired"
}

/**
 * Who makes a link, and whom it lets in: a member lets in someone who counts as the member; anyone else a new person,
 * named after the link.
 */
export const madeBy = (
  { id, kind, name, person }: Identity,
  link: SignInLinkId
): Pick<SignInLink, "maker" | "person"> =>
  person === null || id === null
    ? { maker: { kind, id: null, name }, person: PersonId.make(link) }
    : { maker: { kind, id: PersonSessionId.make(id), name }, person }

/** Whether the link still signs in. A member's link does while the session that made it is open. */
export const isRedeemable = (link: SignInLink, maker: PersonSession | undefined, at: DateTime.Utc): boolean =>
  stateOf(link, at) === "open" && (link.maker.id === null || (maker !== undefined && isOpen(maker, at)))
