/** An account of a load alone, with all that it needs. */
import type { Calls } from "./Calls.ts"

export interface Tenant {
  readonly accountId: string
  readonly key: string
  readonly signingSecret: string
  readonly runnerKey: string
  readonly agentId: string
  readonly taskId: string
}

export const makeTenant = async (calls: Calls, adminKey: string): Promise<Tenant> => {
  const admin = async (path: string, body: unknown) => {
    const answer = await calls.insist({ key: adminKey, path: `/admin/accounts${path}`, body })
    if (answer.status < 300) return answer.body
    throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  const { id } = await admin("", { name: "Durability" })
  const agent = await admin(`/${id}/agents`, { name: "worker", capacity: 1_000 })
  // A runner whose answer was lost may start again: its work goes on in a second attempt.
  const retry = { max_attempts: 20, initial_seconds: 1 }
  const task = await admin(`/${id}/tasks`, { slug: "work", name: "Work", retry })
  await admin(`/${id}/tasks/${task.id}/versions`, { params_schema: { type: "object" } })
  const rate_limit = { per_second: 100_000, burst: 1_000_000 }
  const { key, signing_secret: signingSecret } = await admin(`/${id}/keys`, { name: "load", rate_limit })
  const runner = await admin(`/${id}/runner-keys`, { name: "worker" })
  return { accountId: id, key, signingSecret, runnerKey: runner.key, agentId: agent.id, taskId: task.id }
}
