import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "vitest"
import { Runhook } from "../../src/Runhook.ts"
import { openGate } from "../runner/Gate.ts"
import { until } from "../runner/Stage.ts"
import { startService } from "./Service.ts"
import { makeTenant } from "./Tenant.ts"

/** Databases are made and started. */
const timeout = 180_000

/** Programs that create at once, each one execution after the other. */
const callers = 8

it(
  "answers every create once, also those that meet a service that was killed and is started again",
  { timeout },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "runhook-killed-"))
    try {
      const first = await startService({ directory })
      await using gate = await openGate(first.url)
      const { agent_id, apiKey, task_id } = await makeTenant(first)
      const retried: Array<string> = []
      const runhook = new Runhook({
        baseUrl: gate.url,
        apiKey,
        log: ({ event, problem = "" }) => void (event === "retry" && retried.push(problem))
      })
      const answered: Array<string> = []
      let isBack = false
      const creating = Array.from({ length: callers }, async (_, caller) => {
        for (let number = 0, last = Infinity; number <= last; number++) {
          if (isBack) last = Math.min(last, number + 2)
          const { execution_id } = await runhook.executions.create({
            agent_id,
            task_id,
            reference: `${caller}-${number}`
          })
          answered.push(execution_id)
        }
      })
      await until(() => answered.length > 5 * callers)

      await first.kill()
      await until(() => retried.length >= callers)
      await using second = await startService({ directory })
      gate.open(second.url)
      isBack = true
      await Promise.all(creating)

      const listed = await runhook.executions.list().toArray({ limit: 100_000 })
      assert.sameMembers(
        listed.map(({ id }) => id),
        answered
      )
      assert.strictEqual(new Set(listed.map(({ reference }) => reference)).size, answered.length)
    } finally {
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    }
  }
)
