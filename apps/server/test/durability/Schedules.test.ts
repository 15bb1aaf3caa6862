import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually } from "../Http.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"
import { insist, makeTenant } from "./load/Asking.ts"
import type { Service } from "./load/Calls.ts"
import { memberOf } from "./systems/Member.ts"

const adminKey = "the-admin-key-of-the-durability-test"

describe("schedules of which a process is killed", () => {
  it.live("have one execution for each due time, and none left out", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const shared = {
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DATABASE_URL: url
      }
      const [first, second] = [memberOf(shared, []), memberOf(shared, [])]
      for (const member of [first, second]) {
        yield* Effect.addFinalizer(() => Effect.promise(() => member.kill()))
        yield* Effect.promise(() => member.start())
      }
      const { agentId, apiKey: key, taskId } = yield* Effect.promise(() => makeTenant(first, adminKey))
      const path = "/integrations/schedules"
      const end = Math.ceil(performance.timeOrigin + performance.now()) + 12_000
      const body = {
        name: "Each second",
        every_seconds: 1,
        ends_at: new Date(end).toISOString(),
        missed: "all",
        execution: { agent_id: agentId, task_id: taskId }
      }
      const made = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 5 }, () => insist(first, { key, path, body })))
      )
      const all = (service: Service) =>
        Effect.promise(() => insist(service, { key, path: "/integrations/executions?limit=200" }))
      yield* eventually(all(first), ({ data }) => data.length >= 7)

      yield* Effect.promise(() => first.kill())

      yield* eventually(
        Effect.promise(() => insist(second, { key, path })),
        ({ data }) =>
          data.every((schedule: { next_at: ReadonlyArray<string> }) => schedule.next_at.length === 0)
      )
      const { data } = yield* all(second)
      const counts = made.map(
        ({ id }) => data.filter((execution: { schedule_id: string }) => execution.schedule_id === id).length
      )
      const dueTimes = made.map(
        ({ next_at: [due] }) => Math.floor((end - Date.parse(String(due))) / 1_000) + 1
      )
      assert.deepStrictEqual(counts, dueTimes)
    })
  )
})
