/** A service with one account that has one of everything, and a client of the operator who looks after it. */
import { adminKey, type Service, startService } from "@runhook/test-support/world/Service"
import { type Account, type OutgoingRequest, RunhookAdmin } from "../../src/admin/Admin.ts"

export interface Office extends AsyncDisposable {
  readonly service: Service
  readonly admin: RunhookAdmin
  readonly account: Account
  readonly key: { readonly id: string }
  readonly agent: { readonly id: string }
  readonly task: { readonly id: string }
  readonly version: { readonly id: string }
  /** An execution that waits for a runner. */
  readonly execution: { readonly id: string }
  /** Its callback, which is never answered. */
  readonly delivery: { readonly id: string }
  /** The requests that the client has made: method and path below `/api/v1/admin`. */
  readonly requests: ReadonlyArray<string>
  /** Adds a request of another client to them. */
  readonly note: (request: OutgoingRequest) => void
}

export const openOffice = async (): Promise<Office> => {
  const service = await startService()
  const requests: Array<string> = []
  const note = ({ method, url }: OutgoingRequest) => {
    requests.push(`${method} ${new URL(url).pathname.replace("/api/v1/admin", "")}`)
  }
  const admin = new RunhookAdmin({ baseUrl: service.url, adminKey, retries: 0, onRequest: note })
  const account = admin.account((await admin.accounts.create({ name: "Acme" })).id)
  const agent = await account.agents.create({ name: "Press", capacity: 2 })
  const task = await account.tasks.create({ slug: "print", name: "Print" })
  const version = await account.tasks.publish(task.id, {
    params_schema: { type: "object" },
    tags: ["stable"]
  })
  const key = await account.keys.create({ name: "Back office" })
  const { execution_id } = await service.json<{ execution_id: string }>({
    key: key.key,
    path: "/integrations/executions",
    body: { agent_id: agent.id, task_id: task.id, callback_url: `${service.url}/nobody` }
  })
  const [delivery] = await account.deliveries.list().toArray({ limit: 1 })
  if (delivery === undefined) throw new Error("The execution has no callback")
  return {
    service,
    admin,
    account,
    key,
    agent,
    task,
    version,
    execution: { id: execution_id },
    delivery,
    requests,
    note,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]()
  }
}
