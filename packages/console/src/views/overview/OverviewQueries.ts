/** The data of the overview. */
import type { Account } from "@runhook/sdk/admin"
import { marksOf } from "./ChangeMarks.ts"

const dayMs = 86_400_000

/** Objects of each kind that are checked for needs. */
const limit = 50

/** Data that changes all the time. */
export const loadCurrent = async (account: Account, now: number, signal: AbortSignal) => {
  const options = { signal }
  const [overview, receivers, asking, agents, keys, tasks, executions, settled] = await Promise.all([
    account.usage.overview(options),
    account.usage.receivers({ limit: 20 }, options),
    account.executions.list({ status: "awaiting_input", limit }, options).page(),
    account.agents.list({ limit }, options).page(),
    account.keys.list({ limit }, options).page(),
    account.tasks.list({ limit }, options).page(),
    account.executions.list({ limit: 1 }, options).page(),
    account.deliveries.list({ status: ["delivered", "dead"], limit: 1 }, options).page()
  ])
  return {
    checkedAt: now,
    overview,
    receivers: receivers.data,
    asking: asking.data,
    agents: agents.data,
    keys: keys.data,
    agent: agents.data.find(({ status }) => status === "online") ?? agents.data[0],
    task: tasks.data.find(({ current_version, enabled }) => enabled && current_version !== null),
    execution: executions.data[0],
    hasSettled: settled.data.length > 0
  }
}

/** Hourly counts, and audited changes to mark in them. */
export const loadTrends = async (account: Account, now: number, signal: AbortSignal) => {
  const options = { signal }
  const from = new Date(now - 7 * dayMs).toISOString()
  const [week, day, audit] = await Promise.all([
    account.usage.counted({ from }, options),
    account.usage.counted({}, options),
    account.audit.list({ from, limit: 100 }, options).page()
  ])
  return { items: week.data, day: day.totals[0], marks: marksOf(audit.data) }
}
