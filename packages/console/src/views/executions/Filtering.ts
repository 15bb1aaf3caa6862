/** What the list of executions is narrowed down by: from the address to the query of the API. */
import type { ExecutionFilter } from "@runhook/sdk/admin"
import type { Filters } from "../../data/Filters.ts"

export const filterNames = ["status", "task", "agent", "reference", "from", "to"] as const

export type ExecutionFilters = Filters<(typeof filterNames)[number]>

type Status = Exclude<NonNullable<ExecutionFilter["status"]>, ReadonlyArray<unknown>>

/** The quick filters, in the order in which somebody has to look. */
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

/** Those that have a tab; the others may stand in a link. */
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

/** A moment as the field for one has it, in the zone of the reader, or as links have it, with a zone of its own. */
const instantOf = (text: string | undefined): string | undefined => {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
