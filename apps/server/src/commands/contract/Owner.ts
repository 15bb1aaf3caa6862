/** Whose things a command is about: it sends the requests, and knows the things by their names. */
import type { Account, ApiRequest, RunhookAdmin } from "@runhook/sdk/admin"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { adminClient, called } from "../AdminClient.ts"
import type { Values } from "./Row.ts"
import { endpointHolder, endpointIn } from "../EndpointHolder.ts"
import {
  accountFlag,
  accountOf,
  accountsOf,
  agentsOf,
  keysOf,
  optional,
  runnerKeysOf,
  schedulesOf,
  tasksOf,
  type Things,
  versionsOf
} from "../Names.ts"

export interface Owner {
  /** Sends a request whose path begins below the owner. */
  readonly request: (request: ApiRequest) => Promise<unknown>
  /** What a name of this kind may mean, beside the values of the parts before it. */
  readonly things: (kind: Kind, values: Values) => Things
  /** If it is one, whose changes can be followed. */
  readonly account?: Account
}

/** What has a name beside its id. */
const inAccount = {
  agent: agentsOf,
  endpoint: endpointIn,
  key: keysOf,
  "runner-key": runnerKeysOf,
  schedule: schedulesOf,
  task: tasksOf,
  version: (account: Account, values: Values) =>
    versionsOf(account, String(values["{task_id}"] ?? values["{id}"]))
}

export type Kind = keyof typeof inAccount

const isKind = (word: string): word is Kind => Object.hasOwn(inAccount, word)

export const kindNamed = (word: string): Kind | undefined => (isKind(word) ? word : undefined)

const accountIn = (admin: RunhookAdmin, account: Account): Owner => ({
  request: ({ path, ...request }) => admin.request({ ...request, path: `/accounts/${account.id}${path}` }),
  things: (kind, values) => inAccount[kind](account, values),
  account
})

const serviceOf = (admin: RunhookAdmin): Owner => ({
  request: (request) => admin.request(request),
  things: () => accountsOf(admin)
})

/** The flags that choose an owner, and how it is found. */
export const owners = {
  account: {
    flags: { account: accountFlag },
    find: Effect.fnUntraced(function* (meant: string | undefined) {
      const admin = yield* adminClient()
      return accountIn(admin, yield* called(() => accountOf(admin, meant)))
    })
  },
  alerts: {
    flags: {
      account: Flag.String("account").pipe(
        Flag.withMetavar("name|id"),
        Flag.withDescription("Those of this account (default: of all accounts, and the operator's targets)"),
        optional
      )
    },
    find: Effect.fnUntraced(function* (meant: string | undefined) {
      const admin = yield* adminClient()
      return meant === undefined
        ? serviceOf(admin)
        : accountIn(admin, yield* called(() => accountOf(admin, meant)))
    })
  },
  endpoints: {
    flags: { account: accountFlag },
    find: Effect.fnUntraced(function* (meant: string | undefined) {
      const holder = yield* endpointHolder(meant)
      const { agents: agent, tasks: task } = holder
      const things: Partial<Record<Kind, Things>> = { agent, task }
      return { request: holder.request, things: (kind: Kind) => things[kind] ?? endpointIn(holder) }
    })
  },
  service: { flags: {}, find: () => Effect.map(adminClient(), serviceOf) }
}
