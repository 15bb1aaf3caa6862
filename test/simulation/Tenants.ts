/** The accounts of a simulation, made before anything goes wrong. */
import type { Agent } from "@runhook/core/catalog/Agent"
import type { Task } from "@runhook/core/catalog/Task"
import type { ApiKeyRecord } from "@runhook/core/keys/ApiKeyRecord"
import type { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { RunnerKeys } from "@runhook/core/keys/RunnerKeys"
import { makeAgent, makeKey, makeTask, makeVersion, newRequest } from "@runhook/test-support/engine/Tenant"
import { Schedules } from "@runhook/core/schedules/Schedules"
import { Accounts } from "@runhook/core/accounts/Accounts"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface Tenant {
  /** Where its receivers are, and nobody else's. */
  readonly domain: string
  readonly caller: ApiKeyRecord
  readonly runnerKey: RunnerKeyRecord
  readonly agents: readonly [Agent, Agent]
  readonly tasks: readonly [Task, Task]
}

/** How long its schedule goes on. */
const scheduledFor = Duration.seconds(70)

/** Runs of an agent at once. */
const capacity = 3

export const makeTenant = Effect.fnUntraced(function* (domain: string) {
  const { id: accountId } = yield* Accounts.use(({ create }) => create(domain))
  const { record: caller } = yield* makeKey({ accountId })
  const { record: runnerKey } = yield* RunnerKeys.use(({ create }) =>
    create({ accountId, name: "Cellar", agentIds: null })
  )
  const at = yield* DateTime.now
  const agents = yield* Effect.all([
    makeAgent({ accountId }, { capacity }),
    makeAgent({ accountId }, { capacity })
  ])
  const tasks = yield* Effect.all([
    makeTask({ accountId }, { slug: "once", maxAttempts: 1 }),
    makeTask({ accountId }, { slug: "often", maxAttempts: 3, timeoutSeconds: 120 })
  ])
  yield* Effect.forEach(tasks, (task) => makeVersion(task))
  yield* Schedules.use(({ create }) =>
    create(caller, {
      name: "Every quarter of a minute",
      cron: null,
      timeZone: null,
      everySeconds: 15,
      startsAt: null,
      endsAt: DateTime.addDuration(at, scheduledFor),
      overlap: "allow",
      missed: "all",
      jitterSeconds: 0,
      isEnabled: true,
      request: newRequest(
        { agent: agents[0], task: tasks[0] },
        { callbackUrl: `https://hooks.${domain}/scheduled` }
      )
    })
  )
  const tenant: Tenant = { domain, caller, runnerKey, agents, tasks }
  return tenant
})
