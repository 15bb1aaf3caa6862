/** `runhook accounts`: the owners of keys, agents and tasks. */
import { Name } from "@runhook/core/domain/account/Account"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { callAndPrint } from "./AdminClient.ts"

const create = Command.make(
  "create",
  { payload: { name: Argument.String("name").pipe(Argument.withSchema(Name)) } },
  (request) => callAndPrint((client) => client.accounts.create(request))
).pipe(
  Command.withDescription("Create an account"),
  Command.withExamples([
    { command: 'runhook accounts create "Acme"', description: "Create an account for Acme" }
  ])
)

const list = Command.make("list", {}, () =>
  callAndPrint((client) => client.accounts.list({ query: {} }))
).pipe(Command.withDescription("List the accounts, newest first"))

export const accountsCommand = Command.make("accounts").pipe(
  Command.withDescription("Create and list accounts on a running server"),
  Command.withSubcommands([create, list])
)
