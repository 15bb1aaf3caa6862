/** What a provider says of somebody, read with care: it may say anything. */
import type { IdentityClaims } from "@runhook/core/domain/console/IdentityClaims"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Text = Schema.NonEmptyString
const textOf = Schema.decodeUnknownOption(Text)
const textsOf = Schema.decodeUnknownOption(Schema.Array(Text))

const textIn = (value: unknown): string | null => Option.getOrNull(textOf(value))

/** Claims that are not what they should be count as not made. */
export const claimsOf = (
  said: Readonly<Record<string, unknown>>,
  verified: { readonly iss: string; readonly sub: string }
): IdentityClaims => ({
  issuer: verified.iss,
  subject: verified.sub,
  name: textIn(said["name"]) ?? textIn(said["preferred_username"]) ?? textIn(said["email"]),
  // Anybody may have typed an address that nobody has verified.
  verifiedEmail: said["email_verified"] === true ? textIn(said["email"]) : null,
  groups: Option.getOrElse(textsOf(said["groups"]), () => [])
})
