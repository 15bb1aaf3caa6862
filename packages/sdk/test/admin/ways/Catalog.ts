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
  "POST /accounts/:account_id/tasks/:task_id/versions": async ({ account, task }) => {
    const version = { params_schema: { type: "object" } }
    const { would_publish } = await account.tasks.wouldPublish(task.id, version)
    return would_publish && account.tasks.publish(task.id, version)
  },
  "GET /accounts/:account_id/tasks/:task_id/versions/:version_id": ({ account, task, version }) =>
    account.tasks.version({ task_id: task.id, version_id: version.id }),
  "GET /accounts/:account_id/sessions": ({ account }) => account.sessions.list().toArray({ limit: 5 }),
  "GET /accounts/:account_id/agents/:agent_id/sessions": ({ account, agent }) =>
    account.agents.sessions(agent.id).toArray({ limit: 5 }),
  "POST /accounts/:account_id/sessions/:session_id/drain": async ({ account, service }) => {
    const { key } = await account.runnerKeys.create({ name: "Cellar" })
    const { session_id } = await service.json<{ session_id: string }>({
      key,
      path: "/runner/sessions",
      body: { instance_id: "cellar-1", runner_name: "Cellar", capacity: 1 }
    })
    return account.sessions.drain(session_id)
  },
  "GET /accounts/:account_id/tasks/:task_id/versions": ({ account, task }) =>
    account.tasks.versions(task.id).toArray({ limit: 5 }),
  "PUT /accounts/:account_id/tasks/:task_id/tags/:name": ({ account, task, version }) =>
    account.tasks.moveTag({ task_id: task.id, name: "next" }, { version_id: version.id }),
  "DELETE /accounts/:account_id/tasks/:task_id/tags/:name": ({ account, task }) =>
    account.tasks.removeTag({ task_id: task.id, name: "stable" }),
  "PUT /accounts/:account_id/tasks/:task_id/current": ({ account, task, version }) =>
    account.tasks.setCurrent(task.id, { version_id: version.id })
}
