/** The filters of the list: in the address, and as a query of the API. */
import type { ExecutionFilter } from "@runhook/sdk/admin"
import type { Filters } from "../../data/useFilters.ts"

export const filterNames = ["status", "task", "agent", "reference", "from", "to"] as const

export type ExecutionFilters = Filters<(typeof filterNames)[number]>

type Status = Exclude<NonNullable<ExecutionFilter["status"]>, ReadonlyArray<unknown>>

/** The quick filters, the most urgent first. */
export const quickFilters: ReadonlyArray<{
  readonly name: string
  readonly words: string
  readonly statuses: ReadonlyArray<Status>
}> = [
  { name: "awaiting_input", words: "Needs input", statuses: ["awaiting_input"] },
  { name: "running", words: "Running", statuses: ["running"] },
  { name: "queued", words: "Queued", statuses: ["queued"] },
  { name: "pending", words: "Held", statuses: ["pending"] },
  { name: "error", words: "Error", statuses: ["error"] },
  { name: "completed", words: "Completed", statuses: ["completed"] },
  { name: "stopped", words: "Stopped", statuses: ["aborted", "cancelled"] },
  { name: "aborted", words: "Aborted", statuses: ["aborted"] },
  { name: "cancelled", words: "Cancelled", statuses: ["cancelled"] }
]

/** Those with a tab; the others only occur in links. */
export const tabbed = quickFilters.filter(({ name }) => name !== "aborted" && name !== "cancelled")

export const executionQuery = (filters: ExecutionFilters): ExecutionFilter => {
  const statuses = quickFilters.find(({ name }) => name === filters.status)?.statuses
  const [from, to] = [instantOf(filters.from), instantOf(filters.to)]
  return {
    ...(statuses === undefined ? {} : { status: statuses }),
    ...(filters.task === undefined ? {} : { task_id: filters.task }),
    ...(filters.agent === undefined ? {} : { agent_id: filters.agent }),
    ...(filters.reference === undefined ? {} : { reference: filters.reference }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
}

/** The instant of an input in the user's zone, or of a link with its own zone. */
const instantOf = (text: string | undefined): string | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
