/** Executions that an operator makes in the name of a tenant's key. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import { assert } from "@effect/vitest"
import type { Tenant } from "../Tenant.ts"

export const callback_url = "https://receiver.example.com/hooks"

/** A request in the name of the tenant's key. */
export const requestOf = ({ agent, key, task }: Tenant) => ({
  key_id: key.id,
  agent_id: agent.id,
  task_id: task.id
})

export const plain = { headers: {}, query: {} }

type Create = Parameters<Tenant["admin"]["executions"]["create"]>[0]

export const createIn = (
  tenant: Tenant,
  payload: Partial<Create["payload"]> = {},
  more: Partial<Pick<Create, "headers" | "query">> = {}
) =>
  tenant.admin.executions.create({
    params: tenant.params,
    ...plain,
    ...more,
    payload: { ...requestOf(tenant), ...payload }
  })

export const idOf = (answer: object): ExecutionId =>
  "execution_id" in answer ? ExecutionId.make(String(answer.execution_id)) : assert.fail("nothing was made")
