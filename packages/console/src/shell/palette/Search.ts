/** Asks the service for what begins with a text. */
import type { Account } from "@runhook/sdk/admin"
import { pathOf, pathTo } from "../Paths.ts"
import type { Entry, Known } from "./Entries.ts"

/** Most names of a kind that are loaded. */
const namesMax = 1_000

export const loadKnown = async (
  { agents, keys, schedules, tasks, usage }: Account,
  signal: AbortSignal
): Promise<Known> => {
  const limits = [{ limit: 200 }, { signal }] as const
  const most = { limit: namesMax }
  const [ofTasks, ofAgents, ofKeys, ofSchedules, receivers] = await Promise.all([
    tasks.list(...limits).toArray(most),
    agents.list(...limits).toArray(most),
    keys.list(...limits).toArray(most),
    schedules.list(...limits).toArray(most),
    usage.receivers({ limit: 200 }, { signal })
  ])
  return { tasks: ofTasks, agents: ofAgents, keys: ofKeys, schedules: ofSchedules, receivers: receivers.data }
}

/** Things of each kind that are shown. */
const limit = 5

export const search = async (
  { deliveries, executions }: Account,
  find: string,
  signal: AbortSignal
): Promise<ReadonlyArray<Entry>> => {
  const [runs, sent] = await Promise.all([
    executions.list({ find, limit }, { signal }).page(),
    deliveries.list({ find, limit }, { signal }).page()
  ])
  return [
    ...runs.data.map(({ id, reference, task_name }) => ({
      href: pathOf`/executions/${id}`,
      title: reference === id ? `${task_name} ${id}` : `${reference}, ${task_name}`,
      what: "Execution"
    })),
    ...(runs.next_cursor === null
      ? []
      : [
          { href: pathTo("/executions", { find }), title: `All that begin with ${find}`, what: "Executions" }
        ]),
    ...sent.data.map(({ id, reference, type }) => ({
      href: pathOf`/deliveries/${id}`,
      title: `${type} ${reference ?? id}`,
      what: "Delivery"
    })),
    ...(sent.next_cursor === null
      ? []
      : [{ href: pathTo("/deliveries", { find }), title: `All that begin with ${find}`, what: "Deliveries" }])
  ]
}
