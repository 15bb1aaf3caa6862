/** Asks the service for what begins with a text. */
import type { Account } from "@runhook/sdk/admin"
import { allOf, loadNames } from "../../data/useNames.ts"
import { isAdmin } from "../../session/Session.ts"
import { pathOf, pathTo } from "../Paths.ts"
import type { Entry, Known } from "./Entries.ts"

export const loadKnown = async (of: Account, signal: AbortSignal): Promise<Known> => {
  const [names, schedules, receivers, endpoints] = await Promise.all([
    loadNames(of),
    allOf(of.schedules),
    of.usage.receivers({ limit: 200 }, { signal }),
    // Viewers do not see them.
    isAdmin.value ? of.endpoints.list({ signal }) : undefined
  ])
  return { ...names, schedules, receivers: receivers.data, endpoints: endpoints?.data ?? [] }
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
