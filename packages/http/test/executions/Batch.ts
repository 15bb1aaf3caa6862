/** Many executions in one request of a tenant, and their answers. */
import type { Json } from "@runhook/core/shared/json/Json"
import * as Effect from "effect/Effect"
import { bearer } from "../Endpoints.ts"
import { Host } from "../Service.ts"
import type { Tenant } from "../Tenant.ts"

const path = "/api/v1/integrations/executions/batch"

/** Sends a body as it is to the batch of a tenant. */
export const sendText = Effect.fnUntraced(function* ({ key }: Tenant, body: string, headers: HeadersOf = {}) {
  const send = yield* Host
  const init = bearer(key.key, { method: "POST", body })
  return yield* send(path, { ...init, headers: { ...headers, ...init.headers } })
})

type HeadersOf = Readonly<Record<string, string>>

export const sendItems = (tenant: Tenant, items: ReadonlyArray<Json>) =>
  sendText(tenant, JSON.stringify({ items }))

interface Told {
  readonly index: number
  readonly status: number
  readonly execution?: {
    readonly execution_id: string
    readonly request_id: string
    readonly reference: string
  }
  readonly error?: { readonly code: string; readonly details: Json; readonly request_id: string }
}

export const answersOf = (answer: Response) =>
  Effect.promise(async (): Promise<{ readonly data: ReadonlyArray<Told>; readonly request_id: string }> =>
    JSON.parse(await answer.text())
  )

export const itemOf = ({ agent, task }: Tenant, fields: { readonly [name: string]: Json } = {}) => ({
  agent_id: agent.id,
  task_id: task.id,
  ...fields
})
