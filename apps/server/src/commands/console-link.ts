/** `runhook console-link`: signs a person in to the Integrations page. */
import { linkNameDefault, linkSeconds } from "@runhook/core/domain/people/SignInLink"
import { Role } from "@runhook/core/domain/people/Membership"
import { AccountId } from "@runhook/core/domain/Ids"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../logging/Reporting.ts"
import { callAndPrint, type Client } from "./AdminClient.ts"
import { idFlag, nameFlag } from "./NamingFlags.ts"

const account = idFlag("account", {
  id: AccountId,
  description: "The account that it opens; may be left out where there is only one"
}).pipe(Flag.optional)

const role = Flag.Literals("role", Role.literals).pipe(
  Flag.withDescription("A viewer may look, an admin may also make changes"),
  Flag.withDefault("admin" as const)
)

const name = nameFlag.pipe(
  Flag.withDescription("The person's name, for the audit log"),
  Flag.withDefault(linkNameDefault)
)

const expires_in_seconds = Flag.Int("expires-in").pipe(
  Flag.withMetavar("seconds"),
  Flag.withDescription(`How long the link is valid, ${linkSeconds.min} to ${linkSeconds.max}`),
  Flag.withDefault(linkSeconds.default)
)

/** The named account, or the only one. */
const accountOf = Effect.fnUntraced(function* (client: Client, named: Option.Option<AccountId>) {
  if (Option.isSome(named)) return named.value
  const { data } = yield* client.accounts.list({ query: {} })
  const [only, ...others] = data
  if (only === undefined) {
    return yield* new CommandFailed({
      reason: 'There is no account yet: make one with runhook accounts create "<name>"'
    })
  }
  if (others.length === 0) return only.id
  const names = data.map(({ id, name: each }) => `\n  --account ${id}  ${each}`).join("")
  return yield* new CommandFailed({ reason: `There are several accounts: say which one.${names}` })
})

export const consoleLinkCommand = Command.make(
  "console-link",
  { account, payload: { role, name, expires_in_seconds } },
  (request) =>
    callAndPrint((client) =>
      Effect.flatMap(accountOf(client, request.account), (account_id) =>
        client.consoleLinks.create({ params: { account_id }, payload: request.payload })
      )
    )
).pipe(
  Command.withDescription(
    "Make a link that signs one person in to the Integrations page, once. It is printed this once."
  ),
  Command.withExamples([
    { command: "runhook console-link", description: "For yourself, where there is one account" },
    {
      command: 'runhook console-link --account <uuid> --role viewer --name "Ada Lovelace"',
      description: "For somebody who may look and not change"
    }
  ])
)
