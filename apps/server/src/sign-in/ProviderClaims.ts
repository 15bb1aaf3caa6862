/** A provider's claims about a person, read with care: they may contain anything. */
import type { IdentityClaims } from "@runhook/core/people/IdentityClaims"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

type Said = Readonly<Record<string, unknown>>

const Text = Schema.NonEmptyString
const textOf = Schema.decodeUnknownOption(Text)
const textsOf = Schema.decodeUnknownOption(Schema.Array(Text))

const textIn = (value: unknown): string | null => Option.getOrNull(textOf(value))

/**
 * The claims of the sources. For each fact only the first source that mentions it counts, so that what one says of an
 * address is never taken for another's. Malformed claims count as missing.
 */
export const claimsOf = (
  sources: ReadonlyArray<Said>,
  verified: { readonly iss: string; readonly sub: string }
): IdentityClaims => {
  const speakingOf = (...claims: ReadonlyArray<string>): Said =>
    sources.find((said) => claims.every((claim) => said[claim] !== undefined)) ?? {}
  const address = speakingOf("email", "email_verified")
  const names = ["name", "preferred_username", "email"].map((claim) => textIn(speakingOf(claim)[claim]))
  return {
    issuer: verified.iss,
    subject: verified.sub,
    name: names.find((name) => name !== null) ?? null,
    // An unverified address could have been typed by anyone.
    verifiedEmail: address["email_verified"] === true ? textIn(address["email"]) : null,
    groups: Option.getOrElse(textsOf(speakingOf("groups")["groups"]), () => [])
  }
}
