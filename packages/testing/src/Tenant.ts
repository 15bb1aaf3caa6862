/** The one account of a service in memory: its tasks, agents and keys, as an operator would make them. */
import type { AccountId, TaskId } from "@runhook/core/shared/Ids"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { FakeTask } from "./FakeTask.ts"

/** Executions that an agent runs at once: more than tests need. */
const capacity = 1_000

export const makeTenant = Effect.fnUntraced(function* (options: {
  readonly tasks: Readonly<Record<string, FakeTask>>
  readonly agents: ReadonlyArray<string>
}) {
  const { id: accountId } = yield* (yield* Accounts).create("Test")
  const taskIds: Record<string, TaskId> = {}
  for (const [slug, task] of Object.entries(options.tasks)) {
    taskIds[slug] = yield* makeTask(accountId, slug, task)
  }
  const agentIds: Record<string, string> = {}
  for (const name of options.agents) {
    const agent = { accountId, name, description: "", labels: {}, capacity }
    agentIds[name] = (yield* (yield* Agents).create(agent)).agent.id
  }
  const { key, signingSecret } = yield* (yield* ApiKeys).create({
    accountId,
    name: "Test",
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    rateLimit: null,
    expiresAt: null
  })
  const runner = yield* (yield* RunnerKeys).create({ accountId, name: "Test", agentIds: null })
  return {
    accountId,
    taskIds,
    agentIds,
    apiKey: Redacted.value(key),
    signingSecret: Redacted.value(signingSecret),
    runnerKey: Redacted.value(runner.key),
    runnerKeyRecord: runner.record
  }
})

export type Tenant = Effect.Success<ReturnType<typeof makeTenant>>

const makeTask = Effect.fnUntraced(function* (accountId: AccountId, slug: string, given: FakeTask) {
  const tasks = yield* Tasks
  const { description = "", enabled = true, maxAttempts = 1, name = slug, timeoutSeconds = null } = given
  const { task } = yield* tasks.create({
    accountId,
    slug,
    name,
    description,
    platforms: [],
    timeoutSeconds,
    maxAttempts
  })
  const ref = { accountId, taskId: task.id }
  yield* tasks.publish(ref, {
    paramsSchema: given.paramsSchema ?? { type: "object" },
    resultSchema: given.resultSchema ?? null,
    tags: [],
    makeCurrent: true
  })
  if (!enabled) yield* tasks.update(ref, { enabled: false })
  return task.id
})
