/** `runhook console-link`: signs a person in to the Integrations page. */
import { linkNameDefault, linkSeconds } from "@runhook/core/domain/people/SignInLink"
import { Role } from "@runhook/core/domain/people/Membership"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Json } from "../output/Output.ts"
import { ofAccount } from "./Catalog.ts"
import { nameFlag } from "./Names.ts"

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

export const consoleLinkCommand = ofAccount(
  "console-link",
  {
    about: "Make a link that signs one person in to the Integrations page, once. It is printed this once.",
    takes: { role, name, expires_in_seconds },
    examples: [
      { command: "runhook console-link", description: "For yourself, where there is one account" },
      {
        command: 'runhook console-link --account Acme --role viewer --name "Ada Lovelace"',
        description: "For somebody who may look and not change"
      }
    ]
  },
  (account, body) => account.consoleLinks.create(body)
).pipe(Command.withGlobalFlags([Json]))
