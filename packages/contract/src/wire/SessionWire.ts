/** Links to the Integrations page, and who has signed in to it. */
import { Name } from "@runhook/core/domain/account/Account"
import { linkNameDefault, linkSeconds } from "@runhook/core/domain/console/ConsoleLink"
import { SignInMethod } from "@runhook/core/domain/console/ConsoleSession"
import { Role } from "@runhook/core/domain/console/Membership"
import { AccountId, ConsoleSessionId, PersonId } from "@runhook/core/domain/Ids"
import { Timestamp } from "@runhook/core/domain/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "./Described.ts"
import { bodyOf } from "./Envelope.ts"

const { default: secondsDefault, max, min } = linkSeconds

export const NewConsoleLink = Schema.Struct({
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

export const ConsoleLinkCreated = bodyOf("ConsoleLinkCreated", "The link, shown this once.", {
  url: Schema.String.pipe(
    described("Leads to a page with a button that signs in. The part after # never reaches a server's log.")
  ),
  expires_at: Timestamp
})

/** Longest text that is looked at as a token. */
const tokenLengthMax = 200

export const SignInBody = Schema.Struct({
  token: Schema.String.check(Schema.isBetweenLength(1, tokenLengthMax)).pipe(
    described("The part after # in the link.")
  )
}).annotate({ identifier: "SignIn" })

const person = PersonId.pipe(described("The same for all sessions of one person, whatever they are called."))

export const SessionAccount = Schema.Struct({
  id: AccountId,
  name: Name,
  role: Role,
  session_id: ConsoleSessionId.pipe(described("The session in the account.")),
  person
}).annotate({ identifier: "SessionAccount" })

export const SessionDetail = bodyOf("SessionDetail", "Who has signed in, and to which accounts.", {
  id: ConsoleSessionId.pipe(described("The newest session of the browser.")),
  person,
  name: Name,
  accounts: Schema.Array(SessionAccount),
  method: SignInMethod.pipe(described("By a link, or at the OpenID Connect provider.")),
  signed_in_at: Timestamp,
  expires_at: Timestamp.pipe(described("When the last of them ends in any case.")),
  idle_expires_at: Timestamp.pipe(described("When the last of them ends unless it is used before."))
})

export const SignInWays = bodyOf("SignInWays", "How one may sign in.", {
  oidc: Schema.Boolean.pipe(
    described("Whether there is an OpenID Connect provider: it begins at /integrations/oidc/start.")
  )
})

export const signOutQuery = {
  everywhere: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
    described("true: ends all sessions of the same person, in every browser.")
  )
}
