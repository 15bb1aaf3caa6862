/** Executions, by endpoint of the contract. */
import type { Ways } from "../Ways.ts"

const refused = (wanted: number) => (problem: { readonly status: number }) => {
  if (problem.status !== wanted) throw problem
}

const unknown = "0192f0c1-2d3e-7abc-8def-0123456789ab"

export const executionWays: Ways = {
  "GET /accounts/:account_id/executions": ({ account }) =>
    account.executions.list({ status: "queued" }).toArray({ limit: 5 }),
  "POST /accounts/:account_id/executions": async ({ account, agent, key, task }) => {
    const request = { key_id: key.id, agent_id: agent.id, task_id: task.id, hold: true }
    await account.executions.validate(request)
    return account.executions.create(request)
  },
  "GET /accounts/:account_id/executions/:id": ({ account, execution }) =>
    account.executions.get(execution.id, { wait: 0 }),
  "PATCH /accounts/:account_id/executions/:id": ({ account, execution }) =>
    account.executions.reschedule(execution.id, { priority: 3 }),
  "POST /accounts/:account_id/executions/:id/rerun": ({ account, execution, key }) =>
    account.executions.rerun(execution.id, { version: "current", key_id: key.id }),
  "POST /accounts/:account_id/executions/:id/release": ({ account, execution }) =>
    account.executions.release(execution.id),
  "GET /accounts/:account_id/executions/:id/logs": ({ account, execution }) =>
    account.executions.logs(execution.id, { after: 0, limit: 5, wait: 0 }),
  "GET /accounts/:account_id/executions/:id/events": ({ account, execution }) =>
    account.executions.events(execution.id, { after: 0, limit: 5, wait: 1 }),
  "GET /accounts/:account_id/executions/:id/explain": ({ account, execution }) =>
    account.executions.explain(execution.id),
  "GET /accounts/:account_id/executions/:id/evidence": ({ account, execution }) =>
    // It has not ended, which the service says with 409.
    account.executions.evidence(execution.id).catch(refused(409)),
  "GET /accounts/:account_id/executions/:id/inputs": ({ account, execution }) =>
    account.executions.inputs(execution.id),
  "POST /accounts/:account_id/executions/:id/inputs/:input_id": ({ account, execution }) =>
    // Nothing was asked, which the service says with 404.
    account.executions
      .answer({ execution_id: execution.id, input_id: unknown }, { value: 1 })
      .catch(refused(404)),
  "GET /accounts/:account_id/executions/:id/artifacts": ({ account, execution }) =>
    account.executions.artifacts(execution.id),
  "GET /accounts/:account_id/executions/:id/files/:file_id": ({ account, execution }) =>
    // Nothing was captured, which the service says with 404.
    account.executions.file({ execution_id: execution.id, id: unknown }).catch(refused(404)),
  "POST /accounts/:account_id/executions/:id/cancel": ({ account, execution }) =>
    account.executions.cancel(execution.id, { reason: "enough" }),
  "POST /accounts/:account_id/executions/cancel": ({ account }) =>
    account.executions.cancelAll({ find: "nothing" }, { dryRun: true }),
  "GET /accounts/:account_id/executions/jobs/:id": async ({ account }) =>
    account.executions.jobs.get((await account.executions.cancelAll({ reference: "none" })).job_id),
  "POST /accounts/:account_id/executions/jobs/:id/cancel": async ({ account }) =>
    account.executions.jobs.cancel((await account.executions.cancelAll({ reference: "none" })).job_id),
  "DELETE /accounts/:account_id/executions/:id": async ({ account, agent, key, task }) => {
    const request = { key_id: key.id, agent_id: agent.id, task_id: task.id, hold: true }
    const { execution_id } = await account.executions.create(request)
    await account.executions.cancel(execution_id)
    return account.executions.remove(execution_id)
  }
}
