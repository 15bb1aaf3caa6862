/** What a user needs to queue executions: an account with an agent, a task, a key that stands for the user, and a key for runners. */
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"

/** `name` is shown to people. */
export const makeTenant = Effect.fnUntraced(function* (name: string) {
  const { id: accountId } = yield* (yield* Accounts).create(name)
  const { agent } = yield* (yield* Agents).create({
    accountId,
    name: "worker",
    description: "",
    labels: {},
    capacity: 4
  })
  const tasks = yield* Tasks
  const { task } = yield* tasks.create({
    accountId,
    slug: "ship-order",
    name: "Ship an order",
    description: "",
    platforms: [],
    timeoutSeconds: 300,
    maxAttempts: 1
  })
  yield* tasks.publish(
    { accountId, taskId: task.id },
    {
      paramsSchema: { type: "object", required: ["order_id"] },
      resultSchema: null,
      tags: [],
      makeCurrent: true
    }
  )
  const { record, signingSecret } = yield* (yield* ApiKeys).create({
    accountId,
    name,
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    rateLimit: null,
    expiresAt: null
  })
  const { key: runnerKey } = yield* (yield* RunnerKeys).create({ accountId, name, agentIds: [agent.id] })
  return { accountId, apiKeyId: record.id, agentId: agent.id, taskId: task.id, runnerKey, signingSecret }
})
