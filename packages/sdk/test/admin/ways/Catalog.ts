/** Agents and tasks, by endpoint of the contract. */
import type { Ways } from "../Ways.ts"

export const catalogWays: Ways = {
  "POST /accounts/:account_id/agents": ({ account }) => account.agents.create({ name: "Binder" }),
  "GET /accounts/:account_id/agents": ({ account }) => account.agents.list().toArray({ limit: 5 }),
  "GET /accounts/:account_id/agents/:agent_id": ({ account, agent }) => account.agents.get(agent.id),
  "PATCH /accounts/:account_id/agents/:agent_id": ({ account, agent }) =>
    account.agents.update(agent.id, { state: "paused" }),
  "DELETE /accounts/:account_id/agents/:agent_id": async ({ account }) =>
    account.agents.remove((await account.agents.create({ name: "Folder" })).id),
  "POST /accounts/:account_id/tasks": ({ account }) => account.tasks.create({ slug: "fold", name: "Fold" }),
  "GET /accounts/:account_id/tasks": ({ account }) => account.tasks.list().toArray({ limit: 5 }),
  "GET /accounts/:account_id/tasks/:task_id": ({ account, task }) => account.tasks.get(task.id),
  "PATCH /accounts/:account_id/tasks/:task_id": ({ account, task }) =>
    account.tasks.update(task.id, { description: "On paper" }),
  "POST /accounts/:account_id/tasks/:task_id/versions": ({ account, task }) =>
    account.tasks.publish(task.id, { params_schema: { type: "object" } }),
  "GET /accounts/:account_id/tasks/:task_id/versions": ({ account, task }) =>
    account.tasks.versions(task.id).toArray({ limit: 5 }),
  "PUT /accounts/:account_id/tasks/:task_id/tags/:name": ({ account, task, version }) =>
    account.tasks.moveTag({ task_id: task.id, name: "next" }, { version_id: version.id }),
  "DELETE /accounts/:account_id/tasks/:task_id/tags/:name": ({ account, task }) =>
    account.tasks.removeTag({ task_id: task.id, name: "stable" }),
  "PUT /accounts/:account_id/tasks/:task_id/current": ({ account, task, version }) =>
    account.tasks.setCurrent(task.id, { version_id: version.id })
}
