/** An account of a running service with all it takes to queue and run executions, made as operators make it. */
import type { Api } from "./Api.ts"

export interface Tenant {
  readonly accountId: string
  readonly agentId: string
  readonly taskId: string
  readonly versionId: string
  readonly keyId: string
  readonly apiKey: string
  readonly signingSecret: string
  readonly runnerKey: string
}

/** Makes something as the operator, below `/admin/accounts`. */
export type Make = (path: string, body: object) => Promise<ReturnType<typeof JSON.parse>>

/** The operator of a service. */
export const makeBy =
  ({ json }: Api, adminKey: string): Make =>
  (path, body) =>
    json({ key: adminKey, path: `/admin/accounts${path}`, body })

/** What is to be otherwise than usual. */
export interface TenantFields {
  readonly account?: object
  readonly agent?: object
  readonly task?: object
  readonly version?: object
  readonly key?: object
  readonly runnerKey?: object
}

export const makeTenant = async (make: Make, fields: TenantFields = {}): Promise<Tenant> => {
  const { id: accountId } = await make("", { name: "Acme", ...fields.account })
  const of = `/${accountId}`
  const agent = await make(`${of}/agents`, { name: "Press", capacity: 10, ...fields.agent })
  const task = await make(`${of}/tasks`, { slug: "print", name: "Print", ...fields.task })
  const version = { params_schema: { type: "object" }, ...fields.version }
  const { id: versionId } = await make(`${of}/tasks/${task.id}/versions`, version)
  const key = await make(`${of}/keys`, { name: "Back office", ...fields.key })
  const runnerKey = await make(`${of}/runner-keys`, { name: "Cellar", ...fields.runnerKey })
  return {
    accountId,
    agentId: agent.id,
    taskId: task.id,
    versionId,
    keyId: key.id,
    apiKey: key.key,
    signingSecret: key.signing_secret,
    runnerKey: runnerKey.key
  }
}

/** A request to run the tenant's task on its agent. */
export const workOf = ({ agentId, taskId }: Pick<Tenant, "agentId" | "taskId">) => ({
  agent_id: agentId,
  task_id: taskId
})
