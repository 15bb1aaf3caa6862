/** A provider's claims about a person, read with care: they may contain anything. */
import type { IdentityClaims } from "@runhook/core/domain/console/IdentityClaims"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Text = Schema.NonEmptyString
const textOf = Schema.decodeUnknownOption(Text)
const textsOf = Schema.decodeUnknownOption(Schema.Array(Text))

const textIn = (value: unknown): string | null => Option.getOrNull(textOf(value))

/** Malformed claims count as missing. */
export const claimsOf = (
  said: Readonly<Record<string, unknown>>,
  verified: { readonly iss: string; readonly sub: string }
): IdentityClaims => ({
  issuer: verified.iss,
  subject: verified.sub,
  name: textIn(said["name"]) ?? textIn(said["preferred_username"]) ?? textIn(said["email"]),
  // An unverified address could have been typed by anyone.
  verifiedEmail: said["email_verified"] === true ? textIn(said["email"]) : null,
  groups: Option.getOrElse(textsOf(said["groups"]), () => [])
})
