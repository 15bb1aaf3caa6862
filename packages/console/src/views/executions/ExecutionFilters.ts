/** The filters of the list: in the address, and as a query of the API. */
import type { AdminAcceptedCancelFilter, AdminCancelFilter, AdminExecutionFilter } from "@runhook/sdk/admin"
import { choicesOf } from "../../format/Choices.ts"
import { momentIn } from "../../format/Moments.ts"
import type { Filter } from "../../parts/FilterBar.tsx"
import type { Names } from "../../data/useNames.ts"
import type { Filters } from "../../data/useFilters.ts"

export const filterNames = ["status", "task", "agent", "find", "reference", "schedule", "from", "to"] as const

export type ExecutionFilters = Filters<(typeof filterNames)[number]>

type Status = Exclude<NonNullable<AdminExecutionFilter["status"]>, ReadonlyArray<unknown>>

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

/** The bar above the list. Tabs have a number where it may need attention. */
export const filtersWith = (
  names: Names | undefined,
  counts: { readonly [name: string]: string | undefined }
): ReadonlyArray<Filter<(typeof filterNames)[number]>> => [
  {
    name: "status",
    label: "Status",
    kind: "tabs",
    // The others only occur in links.
    of: quickFilters
      .filter(({ name }) => name !== "aborted" && name !== "cancelled")
      .map(({ name, words }) => [name, words]),
    words: (name) => counts[name]
  },
  { name: "find", label: "Reference or id", kind: "text", hint: "how it begins" },
  { name: "task", label: "Task", kind: "choice", of: choicesOf(names?.tasks) },
  { name: "agent", label: "Agent", kind: "choice", of: choicesOf(names?.agents) },
  { name: "from", label: "From", kind: "moment" },
  { name: "to", label: "To", kind: "moment" },
  { name: "reference", label: "Reference", kind: "link" },
  { name: "schedule", label: "Schedule", kind: "link" }
]

/** What is asked of the service; a list and a cancel of many are asked alike. */
export const executionQuery = (
  filters: ExecutionFilters
): Omit<AdminExecutionFilter, "status"> & AdminCancelFilter => ({
  status: quickFilters.find(({ name }) => name === filters.status)?.statuses,
  task_id: filters.task,
  agent_id: filters.agent,
  find: filters.find,
  reference: filters.reference,
  schedule_id: filters.schedule,
  from: momentIn(filters.from),
  to: momentIn(filters.to)
})

type Accepted = Pick<
  AdminAcceptedCancelFilter,
  "agent_id" | "find" | "from" | "reference" | "schedule_id" | "status" | "task_id" | "to"
>

const quickFilterOf = ({ status }: Pick<Accepted, "status">) =>
  quickFilters.find(({ statuses }) => String(statuses) === String(status))

/** The filters of the list for those of a job. */
export const filtersOf = (of: Accepted) => ({
  status: quickFilterOf(of)?.name,
  task: of.task_id,
  agent: of.agent_id,
  find: of.find,
  reference: of.reference,
  schedule: of.schedule_id,
  from: of.from,
  to: of.to
})

/** Which statuses a job was asked for. */
export const statusWords = (of: Pick<Accepted, "status">): string =>
  of.status === null ? "All that are not finished" : (quickFilterOf(of)?.words ?? of.status.join(", "))
