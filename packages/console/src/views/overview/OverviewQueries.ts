/** The data of the overview: each call once, and only those whose answer may have changed. */
import type { Account, AuditEntry } from "@runhook/sdk/admin"
import { usageQueryOf, type UsageSpanChoice } from "../usage/UsageSpan.ts"

/** Objects of each kind that are checked for needs. */
const limit = 50

/** What changes with every execution and delivery. */
export const loadCurrent = async (account: Account, now: number, signal: AbortSignal) => {
  const options = { signal }
  const [overview, receivers] = await Promise.all([
    account.usage.overview(options),
    account.usage.receivers({ limit: 20 }, options)
  ])
  const [asking, agents] = await Promise.all([
    overview.needs_input === 0
      ? undefined
      : account.executions.list({ status: "awaiting_input", limit }, options).page(),
    overview.queued === 0 ? undefined : account.agents.list({ limit }, options).page()
  ])
  return {
    checkedAt: now,
    overview,
    receivers: receivers.data,
    asking: asking?.data ?? [],
    agents: agents?.data ?? []
  }
}

/** The keys, and what the first steps look for until something was delivered. */
export const loadStart = async (account: Account, hasSettled: boolean, signal: AbortSignal) => {
  const options = { signal }
  const [keys, begun] = await Promise.all([
    account.keys.list({ limit }, options).page(),
    hasSettled
      ? undefined
      : Promise.all([
          account.deliveries.list({ status: ["delivered", "dead"], limit: 1 }, options).page(),
          account.agents.list({ limit }, options).page(),
          account.tasks.list({ limit }, options).page(),
          account.executions.list({ limit: 1 }, options).page()
        ])
  ])
  const [settled, agents, tasks, executions] = begun ?? []
  return {
    keys: keys.data,
    hasSettled: settled === undefined || settled.data.length > 0,
    agent: agents?.data.find(({ status }) => status === "online") ?? agents?.data[0],
    task: tasks?.data.find(({ current_version, enabled }) => enabled && current_version !== null),
    execution: executions?.data[0]
  }
}

/** What was counted in a span, and audited changes to mark in it. */
export const loadTrends = async (
  account: Account,
  { now, span }: { readonly now: number; readonly span: UsageSpanChoice },
  signal: AbortSignal
) => {
  const query = usageQueryOf(span, now)
  const [usage, audit] = await Promise.all([
    account.usage.counted(query, { signal }),
    account.audit.list({ from: query.from, limit: 100 }, { signal }).page()
  ])
  return { items: usage.data, total: usage.totals[0], marks: marksOf(audit.data) }
}

/** A change to mark on the time axis. */
export interface ChangeMark {
  readonly at: string
  readonly words: string
}

/** Actions that callers, receivers or runners notice. */
const noticed = new Set([
  "key.revoked",
  "key.rotated",
  "signing_secret.rotated",
  "task.version_published",
  "task.current_version_set",
  "agent.updated",
  "agent.removed",
  "runner_key.revoked"
])

/** Audited changes as marks in a chart, oldest first. */
export const marksOf = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<ChangeMark> =>
  entries
    .filter(({ action }) => noticed.has(action))
    .map(({ action, at, subject }) => ({
      at,
      words: [action.replaceAll(/[._]/g, " "), ...(subject.name === null ? [] : [subject.name])].join(": ")
    }))
    .toReversed()
