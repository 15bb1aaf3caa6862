/** The filters of the list: in the address, and as a query of the API. */
import type { AdminAcceptedCancelFilter, AdminCancelFilter, AdminExecutionFilter } from "@runhook/sdk/admin"
import { choicesOf, oneOf } from "../../format/Choices.ts"
import { momentIn } from "../../format/Moments.ts"
import type { Filter } from "../../parts/FilterBar.tsx"
import { statusWord } from "../../parts/Looks.ts"
import type { Names } from "../../data/useNames.ts"
import type { Filters } from "../../data/useFilters.ts"

export const filterNames = [
  "status",
  "task",
  "agent",
  "find",
  "contains",
  "reference",
  "schedule",
  "from",
  "to"
] as const

export type ExecutionFilters = Filters<(typeof filterNames)[number]>

type Status = Exclude<NonNullable<AdminExecutionFilter["status"]>, ReadonlyArray<unknown>>

/** The tabs, the most urgent first: each is a status, but for the one that stands for both that somebody stopped. */
const tabs = ["awaiting_input", "running", "queued", "pending", "error", "completed", "stopped"] as const

/** What the list may be filtered by: the tabs, and statuses that only occur in links. */
const choices: ReadonlyArray<Status | "stopped"> = [...tabs, "aborted", "cancelled"]

const statusesOf = (choice: Status | "stopped"): ReadonlyArray<Status> =>
  choice === "stopped" ? ["aborted", "cancelled"] : [choice]

const wordOf = (choice: string): string => (choice === "stopped" ? "Stopped" : statusWord(choice))

/** The bar above the list. Tabs have a number where it may need attention. */
export const filtersWith = (
  names: Names | undefined,
  counts: { readonly [name: string]: string | undefined }
): ReadonlyArray<Filter<(typeof filterNames)[number]>> => [
  {
    name: "status",
    label: "Status",
    kind: "tabs",
    of: tabs.map((tab) => [tab, wordOf(tab)]),
    words: (name) => counts[name]
  },
  { name: "find", label: "Reference or id", kind: "text", hint: "how it begins" },
  { name: "contains", label: "Params or result", kind: "text", hint: "except secrets" },
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
): Omit<AdminExecutionFilter, "status"> & AdminCancelFilter => {
  const choice = oneOf(choices, filters.status)
  return {
    status: choice && statusesOf(choice),
    task_id: filters.task,
    agent_id: filters.agent,
    find: filters.find,
    reference: filters.reference,
    schedule_id: filters.schedule,
    from: momentIn(filters.from),
    to: momentIn(filters.to)
  }
}

type Accepted = Pick<
  AdminAcceptedCancelFilter,
  "agent_id" | "find" | "from" | "reference" | "schedule_id" | "status" | "task_id" | "to"
>

const choiceOf = ({ status }: Pick<Accepted, "status">) =>
  choices.find((choice) => String(statusesOf(choice)) === String(status))

/** The filters of the list for those of a job. */
export const filtersOf = (of: Accepted) => ({
  status: choiceOf(of),
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
  of.status === null ? "All that are not finished" : wordOf(choiceOf(of) ?? of.status.join(", "))
