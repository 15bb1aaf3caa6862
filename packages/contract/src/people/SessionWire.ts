/** Links to the Integrations page, and who has signed in to it. */
import { Name } from "@runhook/core/accounts/Account"
import { ActorKind } from "@runhook/core/audit/Actor"
import { linkNameDefault, linkSeconds, LinkState } from "@runhook/core/people/SignInLink"
import { SignInMethod } from "@runhook/core/people/PersonSession"
import { Role } from "@runhook/core/people/Membership"
import { AccountId, AnyId, SignInLinkId, PersonSessionId, PersonId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf } from "../shared/Envelope.ts"

const { default: secondsDefault, max, min } = linkSeconds

export const NewSignInLink = Schema.Struct({
  role: Schema.optionalKey(
    Role.pipe(described("A viewer may look, an admin may also make changes; admin unless given."))
  ),
  name: Schema.optionalKey(
    Name.pipe(described(`The person's name, for the audit log; ${linkNameDefault} unless given.`))
  ),
  expires_in_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })).pipe(
      described(`How long the link is valid; ${secondsDefault} unless given.`)
    )
  )
}).annotate({ identifier: "CreateConsoleLink" })

const person = PersonId.pipe(described("The same for all sessions of one person, whatever they are called."))

export const ConsoleLinkCreated = bodyOf("ConsoleLinkCreated", "The link, shown this once.", {
  id: SignInLinkId,
  person,
  url: Schema.String.pipe(
    described("Leads to a page with a button that signs in. The part after # never reaches a server's log.")
  ),
  expires_at: Timestamp
})

const LinkMaker = Schema.Struct({
  kind: ActorKind.pipe(described("operator: an admin key; member: a person signed in to the account.")),
  id: Schema.NullOr(AnyId).pipe(described("Of a member's session; null for others.")),
  name: Schema.String
}).annotate({ identifier: "ConsoleLinkMaker", description: "Who made it, by their name at that time." })

export const ConsoleLinkItem = Schema.Struct({
  id: SignInLinkId,
  person,
  name: Name,
  role: Role,
  maker: LinkMaker,
  state: LinkState.pipe(
    described(
      "open: signs one person in; withdrawn: taken back, or its maker was signed out, before it was used."
    )
  ),
  created_at: Timestamp,
  expires_at: Timestamp
}).annotate({ identifier: "ConsoleLink", description: "A link that signs one person in, without its token." })

export const ConsoleLinkPage = pageOf("ConsoleLinkPage", ConsoleLinkItem)

export const ConsoleSessionItem = Schema.Struct({
  id: PersonSessionId,
  person,
  name: Name,
  role: Role,
  by: Schema.Literals(["link", "provider"]).pipe(described("By a link, or at the OpenID Connect provider.")),
  begun_at: Timestamp,
  last_seen_at: Timestamp.pipe(described("When it was last used, to the minute.")),
  expires_at: Timestamp.pipe(described("When it ends unless it is used before.")),
  address: Schema.NullOr(Schema.String).pipe(described("Where it was begun from, if that is known."))
}).annotate({ identifier: "ConsoleSession", description: "Somebody who is signed in, in one browser." })

export const ConsoleSessionPage = pageOf("ConsoleSessionPage", ConsoleSessionItem)

export const personQuery = {
  person: PersonId.pipe(described("Whose sessions end."))
}

/** Longest text that is looked at as a token. */
const tokenLengthMax = 200

export const SignInBody = Schema.Struct({
  token: Schema.String.check(Schema.isBetweenLength(1, tokenLengthMax)).pipe(
    described("The part after # in the link.")
  )
}).annotate({ identifier: "SignIn" })

export const SessionAccount = Schema.Struct({
  id: AccountId,
  name: Name,
  role: Role,
  session_id: PersonSessionId.pipe(described("The session in the account.")),
  person
}).annotate({ identifier: "SessionAccount" })

export const SessionDetail = bodyOf("SessionDetail", "Who has signed in, and to which accounts.", {
  id: PersonSessionId.pipe(described("The newest session of the browser.")),
  person,
  name: Name,
  accounts: Schema.Array(SessionAccount),
  method: SignInMethod.pipe(described("By a link, or at the OpenID Connect provider.")),
  signed_in_at: Timestamp,
  expires_at: Timestamp.pipe(described("When the last of them ends in any case.")),
  idle_expires_at: Timestamp.pipe(described("When the last of them ends unless it is used before."))
})

export const SignInWays = bodyOf("SignInWays", "The ways to sign in.", {
  oidc: Schema.Boolean.pipe(
    described("Whether there is an OpenID Connect provider: it begins at /integrations/oidc/start.")
  )
})

export const signOutQuery = {
  everywhere: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
    described("true: ends all sessions of the same person, in every browser.")
  )
}
