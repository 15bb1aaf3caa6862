/** `runhook accounts`: the owners of keys, agents and tasks. */
import { Name } from "@runhook/core/domain/account/Account"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../logging/Reporting.ts"
import { callAndPrint } from "./AdminClient.ts"
import { accountFlag } from "./NamingFlags.ts"

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

const count = (name: string, description: string) =>
  Flag.optional(Flag.Int(name).pipe(Flag.withDescription(description)))

const limit = Command.make(
  "limit",
  {
    account: accountFlag,
    perSecond: count("per-second", "Requests a second of all its integration keys"),
    burst: count("burst", "Requests at once, beside --per-second; ten times as many unless given"),
    maxLive: count("max-live", "Unfinished executions of all its keys"),
    byDefault: Flag.Boolean("default").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Give it the limits of the service, but for what else is named")
    )
  },
  Effect.fnUntraced(function* ({ account, burst, byDefault, maxLive, perSecond }) {
    if (Option.isSome(burst) && Option.isNone(perSecond)) {
      return yield* new CommandFailed({ reason: "--burst goes with --per-second: name both" })
    }
    const rate = Option.map(perSecond, (per_second) => ({
      per_second,
      burst: Option.getOrElse(burst, () => 10 * per_second)
    }))
    const payload = {
      ...(byDefault ? { rate_limit: null, max_live: null } : {}),
      ...(Option.isSome(rate) ? { rate_limit: rate.value } : {}),
      ...(Option.isSome(maxLive) ? { max_live: maxLive.value } : {})
    }
    yield* callAndPrint((client) => client.accounts.update({ params: { account_id: account }, payload }))
  })
).pipe(
  Command.withDescription("Set what all keys of an account may ask for together"),
  Command.withExamples([
    {
      command: "runhook accounts limit --account <uuid> --per-second 200 --burst 2000",
      description: "Twice as many requests as others have"
    }
  ])
)

const keep = Command.make(
  "keep",
  {
    account: accountFlag,
    days: Flag.optional(
      Flag.Int("days").pipe(
        Flag.withDescription("Days after their end; as long as the service keeps any unless given")
      )
    )
  },
  ({ account, days }) =>
    callAndPrint((client) =>
      client.accounts.update({
        params: { account_id: account },
        payload: { retention_days: Option.getOrNull(days) }
      })
    )
).pipe(
  Command.withDescription("Set how long the finished executions of an account are kept"),
  Command.withExamples([
    { command: "runhook accounts keep --account <uuid> --days 90", description: "Remove them after 90 days" }
  ])
)

export const accountsCommand = Command.make("accounts").pipe(
  Command.withDescription(
    "Create, list and limit accounts on a running server, and set how long they keep executions"
  ),
  Command.withSubcommands([create, keep, limit, list])
)
