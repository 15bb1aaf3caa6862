/** `runhook accounts`: the owners of keys, agents and tasks. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { Terminal } from "effect/Terminal"
import { CommandFailed } from "../logging/Reporting.ts"
import { adminClient, called } from "./AdminClient.ts"
import { group } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { accountsOf, named, thingOf } from "./Names.ts"
import { printError } from "../output/Writer.ts"

/** Fails unless the answer is the name. */
const confirmed = Effect.fnUntraced(function* (name: string) {
  yield* printError(`This removes the account and all that it has, for good. Type its name to go on: ${name}`)
  const answer = yield* Terminal.use(({ readLine }) => Effect.orElseSucceed(readLine, () => ""))
  if (answer !== name)
    return yield* new CommandFailed({ reason: "That is not its name: nothing was removed" })
})

const remove = Command.make(
  "remove",
  {
    account: named("account"),
    yes: Flag.Boolean("yes").pipe(Flag.withDefault(false), Flag.withDescription("Do not ask for its name"))
  },
  Effect.fnUntraced(function* (request) {
    const admin = yield* adminClient()
    const { id, name } = yield* called(() => thingOf(request.account, accountsOf(admin)))
    if (!request.yes) yield* confirmed(name)
    yield* called(() => admin.accounts.remove(id))
  })
).pipe(
  Command.withDescription("Remove an account with everything that it has"),
  Command.withExamples([
    { command: 'runhook accounts remove "Acme"', description: "Remove it once you have typed its name" }
  ])
)

export const accountsCommand = group(
  "accounts",
  "Create, list, limit and remove accounts on a running server, and set how long they keep executions",
  [
    plain("accounts", "create"),
    plain("accounts", "keep"),
    plain("accounts", "limit"),
    plain("accounts", "list"),
    remove
  ]
)
