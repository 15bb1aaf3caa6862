/** A tenant with the client and the runners of the SDK. */
import { setTimeout as pause } from "node:timers/promises"
import { makeTenant } from "@runhook/test-support/world/Tenant"
import type { Service } from "@runhook/test-support/world/Service"
import type { CallOptions } from "../../src/call/Settings.ts"
import { Runhook } from "../../src/Runhook.ts"
import {
  createRunner,
  type Handler,
  type RunnerLogEntry,
  type RunnerOptions,
  type RunnerProblem
} from "../../src/runner/Runner.ts"

/** Looks until something is so; gives up long after any machine would have got there. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (let looks = 0; looks < 4_000; looks++) {
    if (await isSo()) return
    await pause(10)
  }
  throw new Error("It never came about")
}

export interface SdkTenantOptions {
  readonly service: Service
  /** Of the agent; 10 unless given. */
  readonly capacity?: number
  /** Where runners reach the service; where it is unless given. */
  readonly runnerUrl?: string
  /** Where callers reach it; where it is unless given. */
  readonly clientUrl?: string
  /** Attempts that the tasks allow; 1 unless given. */
  readonly attemptsMax?: number
}

export const makeSdkTenant = async ({
  attemptsMax = 1,
  capacity = 10,
  service,
  clientUrl = service.url,
  runnerUrl = service.url
}: SdkTenantOptions) => {
  const retry = { max_attempts: attemptsMax }
  const version = {
    params_schema: { type: "object" },
    result_schema: { type: "object", properties: { pages: { type: "integer" } } }
  }
  const fields = { agent: { capacity }, task: { retry }, version }
  const { accountId, agentId, apiKey, runnerKey, taskId: print } = await makeTenant(service.make, fields)
  const client = new Runhook({ baseUrl: clientUrl, apiKey })
  const tasks = new Map([["print", Promise.resolve(print)]])

  const makeTask = async (slug: string): Promise<string> => {
    const { id } = await service.make(`/${accountId}/tasks`, { slug, name: slug, retry })
    await service.make(`/${accountId}/tasks/${id}/versions`, version)
    return id
  }
  const taskId = (slug: string): Promise<string> => {
    const known = tasks.get(slug) ?? makeTask(slug)
    tasks.set(slug, known)
    return known
  }

  return {
    client,
    agentId,
    apiKey,
    taskId,
    runnerKey,
    runnerUrl,

    /** Queues work for a task, which is made if need be. */
    queue: async (slug: string, params = {}, options: CallOptions = {}): Promise<string> =>
      (await client.executions.create({ agent_id: agentId, task_id: await taskId(slug), params }, options))
        .execution_id,

    /** The execution, once it is over. */
    outcome: (id: string) => client.executions.waitFor(id, { until: "finished" }),

    /** Waits for the question of an execution, and answers it. */
    answer: async (id: string, value: string): Promise<void> => {
      const { input_request } = await client.executions.waitFor(id, { until: "input" })
      if (input_request === null) throw new Error("It asks nothing")
      await client.executions.answer({ execution_id: id, input_id: input_request.input_id }, { value })
    },

    /** The agent, as callers see it. */
    agent: async () => (await client.agents.list().toArray({ limit: 1 }))[0],

    /** The runners that the agent has, as callers see them. */
    runners: async () => (await client.agents.list().toArray({ limit: 1 }))[0]?.runners,

    /** A runner that keeps what it says. Not started. */
    runner: (handlers: Readonly<Record<string, Handler>>, options: Partial<RunnerOptions> = {}) => {
      const problems: Array<RunnerProblem> = []
      const log: Array<RunnerLogEntry> = []
      const runner = createRunner({
        baseUrl: runnerUrl,
        apiKey: runnerKey,
        tasks: handlers,
        capacity: 5,
        log: (entry) => log.push(entry),
        onProblem: (problem) => problems.push(problem),
        ...options
      })
      return Object.assign(runner, { problems, log })
    }
  }
}

/** A promise, and the way to keep it. */
export const moment = () => {
  let come = () => {}
  const comes = new Promise<void>((resolve) => {
    come = resolve
  })
  return { come, comes }
}

/** Work that has begun when the test hears of it, and that ends when the test says so. */
export const makeHeldWork = () => {
  const [begun, ended] = [moment(), moment()]
  const print: Handler = async () => {
    begun.come()
    await ended.comes
    return { pages: 1 }
  }
  return { print, begun: begun.comes, end: ended.come }
}

/** Stays until its signal aborts, and rejects with the reason. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason))
  })
