/** What the contract does not know of commands: which there are, what they take, and what their tables show. */
import type { OwnerName, Row, Rows, Switch, Take } from "./Row.ts"
import * as Accounts from "./tables/Accounts.ts"
import * as Webhooks from "./tables/Webhooks.ts"
import * as Work from "./tables/Work.ts"

/** The plain commands of each noun. */
const tables: Readonly<Record<string, Rows>> = {
  accounts: Accounts.accounts,
  keys: Accounts.keys,
  "runner-keys": Accounts.runnerKeys,
  agents: Work.agents,
  tasks: Work.tasks,
  executions: Work.executions,
  schedules: Work.schedules,
  deliveries: Webhooks.deliveries,
  endpoints: Webhooks.endpoints,
  alerts: Webhooks.alerts,
  "console-link": Accounts.consoleLink,
  "console-links": Accounts.consoleLinks,
  "console-sessions": Accounts.consoleSessions
}

/** Whose nouns they are, if not an account's. */
const ownersOfNouns: Readonly<Record<string, OwnerName>> = {
  accounts: "service",
  alerts: "alerts",
  endpoints: "endpoints"
}

const camelCase = (words: string): string =>
  words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const commandOf = (noun: string, name: string, { columns, takes = [], ...row }: Row) => ({
  noun,
  name,
  call: `${camelCase(noun)}.${camelCase(name)}`,
  of: ownersOfNouns[noun] ?? "account",
  ...row,
  takes: takes.map((take): Switch | Take => (typeof take === "string" ? { field: take } : take)),
  columns: columns?.split(" ") ?? []
})

export type PlainCommand = ReturnType<typeof commandOf>

export const plainCommands: ReadonlyArray<PlainCommand> = Object.entries(tables).flatMap(([noun, rows]) =>
  Object.entries(rows).map(([name, row]) => commandOf(noun, name, row))
)
