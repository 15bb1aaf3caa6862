/** Which calls of a client belong together, and how the generated code names them. */
import type { Client, Operation } from "../Operation.ts"
import { operations } from "../Operations.ts"

export interface Noun {
  /** Such as `alerts.targets`; empty for the calls of the client itself. */
  readonly path: string
  readonly operations: ReadonlyArray<Operation>
}

/** Calls that are written by hand, of generated requests. */
const byHand = new Set(["changes.follow", "executions.cancelAll", "files.download"])

/** Calls whose requests other calls send as well, such as those that wait. */
const shared = new Set([
  ...byHand,
  "deliveries.replays.get",
  "executions.create",
  "executions.events",
  "executions.get",
  "executions.jobs.get",
  "executions.logs",
  "webhooks.endpoints.acknowledge",
  "webhooks.endpoints.fetch"
])

/** What the calls of the integration API are about, by noun; the client itself for "". */
export const nounTexts: Readonly<Record<string, string>> = {
  "": "The calls of the integration API, by noun.",
  executions: "Queue executions, follow them, stop them.",
  "executions.jobs": "The jobs that `cancel_all` begins.",
  schedules: "Executions that are created again and again.",
  tasks: "The tasks that the key may execute.",
  agents: "The agents that the key may use.",
  webhooks:
    "Try out a webhook receiver, and keep endpoints. What a receiver itself needs is in `runhook.webhooks`.",
  "webhooks.endpoints": "Receivers of the events of many executions.",
  deliveries: "Webhook deliveries, attempt by attempt.",
  "deliveries.replays": "The jobs that `replay_all` begins.",
  alerts: "What is wrong in the account, and who is told of it.",
  "alerts.targets": "The webhooks and mailboxes that are told of alerts."
}

/** Whether the request has a function of its own. */
export const isShared = ({ call, client }: Operation): boolean => client === "runner" || shared.has(call)

export const of = (...clients: ReadonlyArray<Client>): ReadonlyArray<Operation> =>
  operations.filter(({ client }) => clients.includes(client))

export const nounOf = (call: string): string => call.split(".").slice(0, -1).join(".")

export const verbOf = (call: string): string => call.split(".").at(-1) ?? ""

/** The nouns of a client with the calls that are generated. */
export const nounsOf = (client: Client): ReadonlyArray<Noun> => {
  const own = of(client).filter(({ call }) => client !== "runner" && !byHand.has(call))
  return [...new Set(own.map(({ call }) => nounOf(call)))].map((path) => ({
    path,
    operations: own.filter(({ call }) => nounOf(call) === path)
  }))
}

/** `executions.jobs` are `executionJobs`, `executions.jobs.get` is `executionJobsGet`. */
export const nameOfNoun = (path: string): string => {
  const words = path.split(".")
  return words.map((word, at) => capital(at < words.length - 1 ? singular(word) : word, at > 0)).join("")
}

export const nameOfRequest = ({ call }: Operation): string =>
  nounOf(call) === "" ? verbOf(call) : nameOfNoun(nounOf(call)) + capital(verbOf(call), true)

const capital = (word: string, isInner: boolean): string =>
  isInner ? word.charAt(0).toUpperCase() + word.slice(1) : word

const singular = (word: string): string => word.replace(/ies$/, "y").replace(/s$/, "")
