/** Finds what a command is about: by its id, or by a name that only one thing has. */
import type { Account, List, RunhookAdmin } from "@runhook/sdk/admin"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { CommandFailed } from "../logging/Reporting.ts"

/** Undefined where the flag is not given. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))

/** A flag that may be left out where there is only one. */
export const onlyOne = (thing: string, description: string) =>
  Flag.String(thing).pipe(
    Flag.withMetavar("name|id"),
    Flag.withDescription(`${description}; may be left out where there is only one`),
    optional
  )

export const accountFlag = onlyOne("account", "The account")

/** What a command is about. */
export const named = (thing: string) =>
  Argument.String(thing).pipe(Argument.withDescription(`The ${thing}, by its name or id`))

export const endpointArgument = Argument.String("endpoint").pipe(
  Argument.withDescription("The endpoint, by its description, URL or id")
)

export const byId = (thing: string) =>
  Argument.String(thing).pipe(Argument.withDescription(`The id of the ${thing}`))

/** Undefined if no flag is given, which means all of them. */
export const several = (thing: string) =>
  Flag.String(thing).pipe(
    Flag.withMetavar("name|id"),
    Flag.withDescription(`For this ${thing}; may be repeated (default: all of the account)`),
    Flag.atLeast(0),
    Flag.map((names) => (names.length === 0 ? undefined : names))
  )

interface Thing {
  readonly id: string
  readonly name: string
  readonly slug?: string
  readonly revoked_at?: string | null
}

/** What may be meant, newest first. */
export interface Things {
  /** As in the name of its commands. */
  readonly kind: "account" | "agent" | "endpoint" | "key" | "runner-key" | "schedule" | "task" | "version"
  readonly list: Pick<List<Thing>, "toArray">
  /** Where there is none: what to do, if it is not to make one. */
  readonly hint?: string
}

/** Further ones are named by their ids. */
const lookedAtMax = 2_000

/** As many are listed where several are meant. */
const listedMax = 20

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The id of what is meant. */
export const idOf = async (meant: string | undefined, things: Things): Promise<string> =>
  meant !== undefined && isId(meant) ? meant : (await thingOf(meant, things)).id

/** What is meant by an id, by a name, or by nothing where there is only one. */
export const thingOf = async (meant: string | undefined, { hint, kind, list }: Things): Promise<Thing> => {
  const all = await list.toArray({ limit: lookedAtMax })
  const fitting = all.filter(({ id, name, revoked_at, slug }) =>
    meant === undefined ? !revoked_at : [id, name, slug].includes(meant)
  )
  const [one, ...others] = fitting
  const calledSo = meant === undefined ? "" : ` named ${JSON.stringify(meant)}`
  if (one === undefined) {
    const advice = hint ?? `: see runhook ${kind}s list, or make one with runhook ${kind}s create`
    throw new CommandFailed({ reason: `There is no ${kind}${calledSo}${advice}`, exitCode: 3 })
  }
  if (others.length === 0) return one
  const shown = fitting.slice(0, listedMax).map(({ id, name }) => `\n  ${id}  ${name}`)
  throw new CommandFailed({
    reason: `There are several ${kind}s${calledSo}: say which one by its id.${shown.join("")}`,
    exitCode: 2
  })
}

/** Undefined stays undefined. */
export const idsOf = async (meant: ReadonlyArray<string> | undefined, things: Things) =>
  meant && (await Promise.all(meant.map((each) => idOf(each, things))))

const page = { limit: 200 }

export const agentsOf = (account: Account): Things => ({ kind: "agent", list: account.agents.list(page) })

export const keysOf = (account: Account): Things => ({ kind: "key", list: account.keys.list(page) })

export const runnerKeysOf = (account: Account): Things => ({
  kind: "runner-key",
  list: account.runnerKeys.list(page)
})

export const tasksOf = (account: Account): Things => ({ kind: "task", list: account.tasks.list(page) })

/** Their numbers are their names. */
export const versionsOf = (account: Account, taskId: string): Things => ({
  kind: "version",
  hint: ": see runhook tasks versions",
  list: {
    toArray: async (options) => {
      const versions = await account.tasks.versions(taskId, page).toArray(options)
      return versions.map(({ id, number }) => ({ id, name: String(number) }))
    }
  }
})

export const schedulesOf = (account: Account): Things => ({
  kind: "schedule",
  list: account.schedules.list(page)
})

export const accountsOf = (admin: RunhookAdmin): Things => ({
  kind: "account",
  list: admin.accounts.list(page)
})

/** The named account, or the only one. */
export const accountOf = async (admin: RunhookAdmin, meant: string | undefined): Promise<Account> =>
  admin.account(await idOf(meant, accountsOf(admin)))
