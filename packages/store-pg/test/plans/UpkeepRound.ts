/** What a busy service does by itself: jobs that cancel, schedules that are due, a look for what is wrong. */
import type { Schedule } from "@runhook/core/schedules/Schedule"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { CancelStore } from "@runhook/core/cancels/CancelStore"
import { ScheduleStore } from "@runhook/core/schedules/ScheduleStore"
import { makeTarget } from "@runhook/store-testing/alerts/AlertFixtures"
import { advance, makeCancelJob, newJob } from "@runhook/store-testing/cancels/CancelFixtures"
import { makeExecution, plenty, second } from "@runhook/store-testing/Fixtures"
import { created, executionOf, firing, makeSchedule } from "@runhook/store-testing/schedules/ScheduleFixtures"
import { integer } from "@runhook/store-pg/sql/Parameters"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Samples } from "./Samples.ts"
import { many, prepared, together, type Verb, verb } from "./Verb.ts"

const at = second(2)
const all = { concurrency: "unbounded" } as const

/** Schedules that are due later, as many as several accounts may have. */
const schedulesKept = 2_000

const longAgo = DateTime.makeUnsafe("2020-01-01T00:00:00Z")

/** Later than all that waits, so that a job comes to these alone. */
const fresh = { createdAt: second(60) }
const recent = { from: second(50) }

export const upkeepRound = Effect.fnUntraced(function* ({ tenant }: Samples) {
  const sql = yield* SqlClient
  const alerts = yield* AlertStore
  const schedules = yield* ScheduleStore
  const { accountId } = tenant
  let claimed: ReadonlyArray<Schedule> = []

  const due = { nextAt: longAgo, wakeAt: longAgo, overlap: "skip" } as const
  const becomeDue = Effect.gen(function* () {
    const made = yield* makeSchedule(tenant)
    yield* sql`
      INSERT INTO schedules
      SELECT (jsonb_populate_record(s, jsonb_build_object(
        'id', gen_random_uuid(), 'wake_at', now() + turn * interval '1 minute'
      ))).*
      FROM schedules s, generate_series(1, ${integer(schedulesKept)}) AS turn
      WHERE s.id = ${made.id}::uuid`
    yield* schedules.remove(made)
    yield* Effect.forEach(many, () => makeSchedule(tenant, due), all)
  })
  const claimDue = schedules
    .claimDue({ at, until: second(17), limit: together })
    .pipe(Effect.tap((found) => Effect.sync(() => (claimed = found))))
  const fire = Effect.suspend(() =>
    Effect.flatMap(
      Effect.forEach(claimed, (schedule) =>
        Effect.map(executionOf(tenant, schedule), (execution) => firing(schedule, created(execution)))
      ),
      schedules.fire
    )
  ).pipe(
    Effect.flatMap((fired) =>
      fired.length === together ? Effect.succeed(fired) : Effect.die(new Error("Not all were fired"))
    )
  )

  const oneTask = { ...recent, taskId: tenant.taskId, agentId: null }
  const countOf = (filter: typeof recent) =>
    Effect.flatMap(newJob(tenant, filter), (job) =>
      CancelStore.use((store) => store.count({ job, seenMax: plenty }))
    )
  const verbs: ReadonlyArray<Verb> = [
    prepared(
      Effect.andThen(
        Effect.forEach(many, () => makeExecution(tenant, fresh), all),
        makeCancelJob(tenant, recent)
      )
    ),
    verb("count of what a job would cancel", together, countOf(recent)),
    verb("bite of a job", together, advance(together, { at, seenMax: together })),
    prepared(advance(together, { at })),
    prepared(
      Effect.andThen(
        Effect.forEach(many, () => makeExecution(tenant, fresh), all),
        makeCancelJob(tenant, oneTask)
      )
    ),
    verb("count of a task's", together, countOf(oneTask)),
    verb("bite of a job for a task", together, advance(together, { at, seenMax: together })),
    prepared(advance(together, { at })),
    prepared(becomeDue),
    verb("when a schedule is due", 1, schedules.nextWakeAt(at)),
    verb("a claim of schedules", together, claimDue),
    verb("executions of schedules", together, fire),
    verb("schedules in a list", together, schedules.list(accountId, { after: null, limit: together })),
    prepared(makeTarget()),
    verb("a turn to look for what is wrong", 1, alerts.takeTurn({ at, until: at })),
    verb("a look for what is wrong", together, alerts.troubles(at)),
    verb("whom to tell of it", together, alerts.targets),
    verb("what is known of it", together, alerts.alerts(null))
  ]
  return verbs
})
