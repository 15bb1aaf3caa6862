/** The account of development mode, and all that is needed to run something in it. */
import { CurrentActor, theService } from "@runhook/core/audit/Actor"
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Task } from "@runhook/core/catalog/Task"
import { Accounts } from "@runhook/core/accounts/Accounts"
import { Agents } from "@runhook/core/catalog/Agents"
import { ApiKeys } from "@runhook/core/keys/ApiKeys"
import { Authentication } from "@runhook/core/keys/Authentication"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { Tasks } from "@runhook/core/catalog/Tasks"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { type DemoCredentials, find, keep } from "./DemoCredentials.ts"
import { paramsSchema, resultSchema } from "./FetchPageTask.ts"

/** Executions that the built-in runner works on at once. */
export const slots = 4

export class DemoAccount extends Context.Service<
  DemoAccount,
  {
    readonly agent: Agent
    readonly task: Task
    readonly key: Redacted.Redacted
    readonly signingSecret: Redacted.Redacted
    readonly runnerKey: Redacted.Redacted
  }
>()("@runhook/server/demo/DemoAccount") {
  /** The account of an earlier start if the store still has it, else a new one. */
  static readonly layer = ({ dataDir, store }: ServerSettings) =>
    Layer.effect(
      DemoAccount,
      Effect.gen(function* () {
        // What memory holds is gone at the next start; what a database holds must be found again.
        if (store._tag === "Memory") return yield* Effect.orDie(Effect.flatMap(make, open))
        const kept = yield* find(dataDir)
        const known = Option.isSome(kept) ? yield* Effect.option(open(kept.value)) : Option.none()
        if (Option.isSome(known)) return known.value
        const made = yield* make
        yield* keep(dataDir, made)
        return yield* Effect.orDie(open(made))
      })
    )
}

/** The account that the credentials belong to. Fails if the store does not know one of them. */
const open = Effect.fnUntraced(function* ({
  agentId,
  key,
  runnerKey,
  signingSecret,
  taskId
}: DemoCredentials) {
  const authentication = yield* Authentication
  const { accountId } = yield* authentication.apiKey(key)
  const { agent } = yield* (yield* Agents).get({ accountId, id: agentId })
  const { task } = yield* (yield* Tasks).get({ accountId, taskId })
  yield* authentication.runnerKey(runnerKey)
  return { agent, task, key, signingSecret, runnerKey }
})

const make = Effect.gen(function* () {
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
    description: "Fetches a page, keeps it, and reports its figures.",
    platforms: [],
    timeoutSeconds: 60,
    maxAttempts: 1
  })
  yield* tasks.publish(
    { accountId, taskId: task.id },
    { paramsSchema, resultSchema, tags: [], makeCurrent: true }
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
  const { key: runnerKey } = yield* (yield* RunnerKeys).create({
    accountId,
    name: "Built-in runner",
    agentIds: [agent.id]
  })
  return { agentId: agent.id, taskId: task.id, key, signingSecret, runnerKey }
}).pipe(
  Effect.provideService(CurrentActor, theService),
  // Everything here is made of constants: a failure is a mistake in this file.
  Effect.orDie
)
