/** `runhook accounts`: the owners of keys, agents and tasks. */
import type { AccountItem } from "@runhook/contract/wire/KeyWire"
import { Name } from "@runhook/core/domain/account/Account"
import { retentionDaysMax, retentionDaysMin } from "@runhook/core/domain/Retention"
import * as Console from "effect/Console"
import { Cursor } from "@runhook/core/domain/Cursor"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Terminal } from "effect/Terminal"
import { CommandFailed } from "../logging/Reporting.ts"
import { callAndPrint, type Client } from "./AdminClient.ts"
import { accountFlag } from "./NamingFlags.ts"

type Account = typeof AccountItem.Type

type Page = { readonly data: ReadonlyArray<Account>; readonly next_cursor: string | null }

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
        Flag.withSchema(
          Schema.Int.check(Schema.isBetween({ minimum: retentionDaysMin, maximum: retentionDaysMax }))
        ),
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

/** The accounts with this id or name. */
const named = Effect.fnUntraced(function* (client: Client, text: string) {
  const found: Array<Account> = []
  for (let query: { readonly cursor?: typeof Cursor.Type } | null = {}; query !== null;) {
    const page: Page = yield* client.accounts.list({ query })
    found.push(...page.data.filter(({ id, name }) => id === text || name === text))
    query =
      page.next_cursor === null ? null : { cursor: yield* Schema.decodeEffect(Cursor)(page.next_cursor) }
  }
  const [account, ...others] = found
  if (account === undefined) return yield* new CommandFailed({ reason: `There is no account ${text}` })
  if (others.length === 0) return account
  const ids = found.map(({ id }) => `\n  ${id}`).join("")
  return yield* new CommandFailed({
    reason: `There are several accounts of this name: name one by its id.${ids}`
  })
})

/** Fails unless the answer is the name. */
const confirmed = Effect.fnUntraced(function* ({ name }: Account) {
  yield* Console.error(
    `This removes the account and all that it has, for good. Type its name to go on: ${name}`
  )
  const answer = yield* Terminal.use(({ readLine }) => Effect.orElseSucceed(readLine, () => ""))
  if (answer !== name)
    return yield* new CommandFailed({ reason: "That is not its name: nothing was removed" })
})

const remove = Command.make(
  "remove",
  {
    account: Argument.String("account").pipe(Argument.withDescription("Its id or its name")),
    yes: Flag.Boolean("yes").pipe(Flag.withDefault(false), Flag.withDescription("Do not ask for its name"))
  },
  Effect.fnUntraced(function* (request) {
    const terminal = yield* Terminal
    yield* callAndPrint((client) =>
      Effect.gen(function* () {
        const account = yield* named(client, request.account)
        if (!request.yes) yield* Effect.provideService(confirmed(account), Terminal, terminal)
        yield* client.accounts.remove({ params: { account_id: account.id } })
      })
    )
  })
).pipe(
  Command.withDescription("Remove an account with everything that it has"),
  Command.withExamples([
    { command: 'runhook accounts remove "Acme"', description: "Remove it once you have typed its name" }
  ])
)

export const accountsCommand = Command.make("accounts").pipe(
  Command.withDescription(
    "Create, list, limit and remove accounts on a running server, and set how long they keep executions"
  ),
  Command.withSubcommands([create, keep, limit, list, remove])
)
