/** A link that signs a person in to the Integrations page of one account, once. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Name } from "../account/Account.ts"
import { AccountId, ConsoleLinkId } from "../Ids.ts"
import { Role } from "./Membership.ts"

export const ConsoleLink = Schema.Struct({
  id: ConsoleLinkId,
  /** SHA-256 of the token that the link carries, hex. */
  tokenHash: Schema.String,
  accountId: AccountId,
  role: Role,
  /** The name of the person, for the audit log. */
  name: Name,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  usedAt: Schema.NullOr(Schema.DateTimeUtc)
})
export type ConsoleLink = typeof ConsoleLink.Type

/** The name when the maker of the link gave none. */
export const linkNameDefault = "Somebody with a link"

/** How long a link is valid. */
export const linkSeconds = { min: 60, max: 86_400, default: 900 } as const

export const isRedeemable = ({ expiresAt, usedAt }: ConsoleLink, at: DateTime.Utc): boolean =>
  usedAt === null && DateTime.isLessThan(at, expiresAt)
