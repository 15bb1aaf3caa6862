/** Flags that name things. */
import { Name } from "@runhook/core/domain/account/Account"
import { AccountId, AgentId, TaskId } from "@runhook/core/domain/Ids"
import * as Flag from "effect/cli/Flag"
import type * as Schema from "effect/Schema"

/** A flag for one id. */
export const idFlag = <Id extends string>(
  name: string,
  options: { readonly id: Schema.Codec<Id, string>; readonly description: string }
) =>
  Flag.String(name).pipe(
    Flag.withSchema(options.id),
    Flag.withMetavar("uuid"),
    Flag.withDescription(options.description)
  )

export const accountFlag = idFlag("account", { id: AccountId, description: "The account it belongs to" })

export const nameFlag = Flag.String("name").pipe(
  Flag.withSchema(Name),
  Flag.withDescription("Its name in lists")
)

/** Null if no flag is given, which means all of them. */
const several = <Id extends string>(flag: Flag.Flag<Id>): Flag.Flag<ReadonlyArray<Id> | null> =>
  flag.pipe(
    Flag.atLeast(0),
    Flag.map((ids) => (ids.length === 0 ? null : ids))
  )

const repeatable = "may be repeated (default: all of the account)"

export const agentFlags = several(
  idFlag("agent", { id: AgentId, description: `An agent it is for; ${repeatable}` })
)

export const taskFlags = several(
  idFlag("task", { id: TaskId, description: `A task it is for; ${repeatable}` })
)
