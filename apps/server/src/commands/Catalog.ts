/** What commands are made of: each makes calls, and shows the answer. */
import type { Account, RunhookAdmin } from "@runhook/sdk/admin"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { pageSizeDefault, pageSizeMax } from "@runhook/core/shared/Page"
import * as Schema from "effect/Schema"
import type { CommandFailed } from "../logging/Reporting.ts"
import { type Columns, Json, show } from "../output/Output.ts"
import { adminClient, called } from "./AdminClient.ts"
import { accountFlag, accountOf } from "./Names.ts"

export type Config = Command.Command.Config
export type Values<Flags> = Command.Command.Config.InferValue<Flags>

/** How a command is shown in the help, and what it takes. */
export interface About<Flags extends Config> {
  readonly about: string
  readonly takes: Flags
  readonly examples?: ReadonlyArray<Command.Command.Example>
  /** Of a list in the answer. */
  readonly columns?: Columns
}

/** A command without an account. */
export const calling = <const Name extends string, const Flags extends Config>(
  name: Name,
  { about, columns, examples = [], takes }: About<Flags>,
  call: (admin: RunhookAdmin, flags: Values<Flags>) => Promise<unknown>
) =>
  Command.make(
    name,
    { flags: takes },
    Effect.fnUntraced(function* ({ flags }) {
      const admin = yield* adminClient()
      yield* show(yield* called(() => call(admin, flags)), columns)
    })
  ).pipe(Command.withDescription(about), Command.withExamples(examples))

/** A command on what one account has. */
export const ofAccount = <const Name extends string, const Flags extends Config>(
  name: Name,
  about: About<Flags>,
  call: (account: Account, flags: Values<Flags>) => Promise<unknown>
) =>
  following(name, about, (account, flags) =>
    Effect.flatMap(
      called(() => call(account, flags)),
      (answer) => show(answer, about.columns)
    )
  )

/** The same where more happens than one answer: a wait, or several steps. */
export const following = <const Name extends string, const Flags extends Config, R>(
  name: Name,
  { about, examples = [], takes }: About<Flags>,
  run: (account: Account, flags: Values<Flags>) => Effect.Effect<unknown, CommandFailed, R>
) =>
  Command.make(
    name,
    { account: accountFlag, flags: takes },
    Effect.fnUntraced(function* (given) {
      const admin = yield* adminClient()
      yield* run(yield* called(() => accountOf(admin, given.account)), given.flags)
    })
  ).pipe(Command.withDescription(about), Command.withExamples(examples))

/** Of a list: how much of it is shown. */
export const limit = Flag.Int("limit").pipe(
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageSizeMax }))),
  Flag.withDescription("How many at most"),
  Flag.withDefault(pageSizeDefault)
)

/** Of a list: whether it is followed. */
export const isWatching = Flag.Boolean("watch").pipe(
  Flag.withDescription("Show it again whenever it changes, until Ctrl-C"),
  Flag.withDefault(false)
)

export const group = <const Name extends string, const Commands extends ReadonlyArray<Command.Command.Any>>(
  name: Name,
  about: string,
  commands: Commands
) =>
  Command.make(name).pipe(
    Command.withDescription(about),
    Command.withSubcommands(commands),
    Command.withGlobalFlags([Json])
  )
