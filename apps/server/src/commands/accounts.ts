/** `runhook accounts`: the owners of keys, agents and tasks. */
import { retentionDaysMax, retentionDaysMin } from "@runhook/core/domain/Retention"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Terminal } from "effect/Terminal"
import { CommandFailed } from "../logging/Reporting.ts"
import { adminClient, called } from "./AdminClient.ts"
import { calling, group } from "./Catalog.ts"
import { plain } from "./contract/PlainCommand.ts"
import { accountFlag, accountOf, accountsOf, named, optional, thingOf } from "./Names.ts"
import { printError } from "../output/Writer.ts"

const count = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), optional)

const limit = calling(
  "limit",
  {
    about: "Set what all keys of an account may ask for together",
    takes: {
      account: accountFlag,
      perSecond: count("per-second", "Requests a second of all its integration keys"),
      burst: count("burst", "Requests at once, beside --per-second; ten times as many unless given"),
      maxLive: count("max-live", "Unfinished executions of all its keys"),
      byDefault: Flag.Boolean("default").pipe(
        Flag.withDefault(false),
        Flag.withDescription("Give it the limits of the service, but for what else is named")
      )
    },
    examples: [
      {
        command: "runhook accounts limit --account Acme --per-second 200 --burst 2000",
        description: "Twice as many requests as others have"
      }
    ]
  },
  async (admin, { account, burst, byDefault, maxLive, perSecond }) => {
    if (burst !== undefined && perSecond === undefined)
      throw new CommandFailed({ reason: "--burst goes with --per-second: name both", exitCode: 2 })
    const { id } = await accountOf(admin, account)
    return admin.accounts.update(id, {
      ...(byDefault ? { rate_limit: null, max_live: null } : {}),
      ...(perSecond !== undefined && {
        rate_limit: { per_second: perSecond, burst: burst ?? 10 * perSecond }
      }),
      ...(maxLive !== undefined && { max_live: maxLive })
    })
  }
)

const keep = calling(
  "keep",
  {
    about: "Set how long the finished executions of an account are kept",
    takes: {
      account: accountFlag,
      days: Flag.Int("days").pipe(
        Flag.withSchema(
          Schema.Int.check(Schema.isBetween({ minimum: retentionDaysMin, maximum: retentionDaysMax }))
        ),
        Flag.withDescription("Days after their end; as long as the service keeps any unless given"),
        optional
      )
    },
    examples: [
      { command: "runhook accounts keep --account Acme --days 90", description: "Remove them after 90 days" }
    ]
  },
  async (admin, { account, days = null }) => {
    const { id } = await accountOf(admin, account)
    return admin.accounts.update(id, { retention_days: days })
  }
)

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
  [plain("accounts", "create"), keep, limit, plain("accounts", "list"), remove]
)
