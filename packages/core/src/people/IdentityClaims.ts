/** What a provider says about a person, and which accounts that opens. Pure functions. */
import * as Schema from "effect/Schema"
import { nameLengthMax } from "../accounts/Account.ts"
import { mailboxGuard } from "../shared/MailAddress.ts"
import { onOneLine } from "../shared/OneLine.ts"
import { AccountId } from "../shared/Ids.ts"
import { covers, type Membership, Role } from "./Membership.ts"

export const IdentityClaims = Schema.Struct({
  issuer: Schema.String,
  /** The person at the issuer, for good. */
  subject: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** Only if the provider says that it has verified the address. */
  verifiedEmail: Schema.NullOr(Schema.String),
  groups: Schema.Array(Schema.String)
})
export type IdentityClaims = typeof IdentityClaims.Type

/** A person, as the operator's provider names them. */
export interface Identity {
  /** The person at the provider, for good. */
  readonly subject: string
  readonly name: string
  /** By the operator's rules. Accounts that do not exist open nothing. */
  readonly memberships: ReadonlyArray<Membership>
}

/** Who gets which role in an account: everybody of an e-mail domain, one address, or a group. */
export const AccessRule = Schema.Struct({
  who: Schema.Union([
    Schema.TaggedStruct("Domain", { domain: Schema.String }),
    Schema.TaggedStruct("Address", { address: Schema.String }),
    Schema.TaggedStruct("Group", { group: Schema.String })
  ]),
  accountId: AccountId,
  role: Role
})
export type AccessRule = typeof AccessRule.Type

/**
 * One `@` between visible ASCII characters, and a domain behind it. In any other
 * alphabet there are letters that look like these, or become these in lower case.
 */
export const isAddress = (text: string): boolean => addresses.test(text)

const addresses = new RegExp(String.raw`^${mailboxGuard}[!-?A-~]+@[\w.-]+$`)

const meets = ({ who }: AccessRule, { groups, verifiedEmail }: IdentityClaims): boolean => {
  if (who._tag === "Group") return groups.includes(who.group)
  if (verifiedEmail === null || !isAddress(verifiedEmail)) return false
  const address = verifiedEmail.toLowerCase()
  return who._tag === "Address"
    ? address === who.address.toLowerCase()
    : address.slice(address.indexOf("@") + 1) === who.domain.toLowerCase()
}

/** The accounts that the rules open to a person, each in the highest role that any rule gives. */
export const membershipsOf = (
  rules: ReadonlyArray<AccessRule>,
  claims: IdentityClaims
): ReadonlyArray<Membership> => {
  const roles = new Map<AccountId, Role>()
  for (const rule of rules) {
    const before = roles.get(rule.accountId)
    if (meets(rule, claims) && (before === undefined || covers(rule.role, before))) {
      roles.set(rule.accountId, rule.role)
    }
  }
  return [...roles].map(([accountId, role]) => ({ accountId, role }))
}

/** The person here: the subject of the issuer, and a name for lists. */
export const personOf = ({ issuer, name, subject, verifiedEmail }: IdentityClaims) => {
  const told = [name, verifiedEmail, subject].map(nameFrom).find((each) => each !== "")
  return { subject: `${issuer} ${subject}`, name: told ?? "Somebody without a name" }
}

/** As much of it as a name may be; empty if that is nothing. */
const nameFrom = (text: string | null): string =>
  Array.from(onOneLine((text ?? "").toWellFormed()))
    .slice(0, nameLengthMax)
    .join("")
    .trimEnd()
