/** The account that development mode begins with, and all that is needed to run something in it. */
import { Accounts } from "@runhook/core/Accounts"
import { Agents } from "@runhook/core/Agents"
import { ApiKeys } from "@runhook/core/ApiKeys"
import type { Agent } from "@runhook/core/domain/Agent"
import type { RunnerKeyRecord } from "@runhook/core/domain/RunnerKeyRecord"
import type { Task } from "@runhook/core/domain/Task"
import { RunnerKeys } from "@runhook/core/RunnerKeys"
import { Tasks } from "@runhook/core/Tasks"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { paramsSchema, resultSchema } from "./FetchPageTask.ts"

/** Executions the built-in runner works on at once. */
export const slots = 4

export class DemoAccount extends Context.Service<
  DemoAccount,
  {
    readonly agent: Agent
    readonly task: Task
    readonly key: Redacted.Redacted
    readonly signingSecret: Redacted.Redacted
    readonly runnerKey: RunnerKeyRecord
  }
>()("@runhook/server/demo/DemoAccount") {
  static readonly layer = Layer.effect(
    DemoAccount,
    Effect.gen(function* () {
      const { id: accountId } = yield* (yield* Accounts).create("Demo")
      const { agent } = yield* (yield* Agents).create({
        accountId,
        name: "demo-agent",
        description: "Served by a runner inside this process.",
        labels: {},
        capacity: slots
      })
      const tasks = yield* Tasks
      const { task } = yield* tasks.create({
        accountId,
        slug: "fetch-page",
        name: "Fetch page",
        description: "Fetches a page, keeps it, and reports on what it holds.",
        platforms: [],
        timeoutSeconds: 60,
        maxAttempts: 1
      })
      yield* tasks.publish(
        { accountId, taskId: task.id },
        { paramsSchema: paramsSchema(yield* BaseUrl), resultSchema, tags: [], makeCurrent: true }
      )
      const { key, signingSecret } = yield* (yield* ApiKeys).create({
        accountId,
        name: "Demo key",
        allowedTaskIds: null,
        allowedAgentIds: null,
        capabilities: null,
        maxLive: null,
        rateLimit: null,
        expiresAt: null
      })
      const runnerKey = yield* (yield* RunnerKeys).create({
        accountId,
        name: "Built-in runner",
        agentIds: [agent.id]
      })
      return { agent, task, key, signingSecret, runnerKey: runnerKey.record }
    }).pipe(
      // Everything here was just made from constants: a failure is a mistake in this file.
      Effect.orDie
    )
  )
}
