/** What is true of every execution's history, whatever was done to it. Each rule finds the executions that break it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BackupSession } from "./BackupSession.ts"

const ends = "('completed', 'error', 'cancelled', 'aborted')"

export const historyRules: { readonly [rule: string]: string } = {
  // Of what was queued when it was created, no first event is stored.
  "events are numbered without a gap": `
    SELECT e.id FROM executions e
    LEFT JOIN (
      SELECT execution_id, number FROM execution_events
      UNION ALL
      SELECT id, 1 FROM executions
      WHERE NOT EXISTS (SELECT FROM execution_events v WHERE v.execution_id = id AND v.number = 1)
    ) v ON v.execution_id = e.id
    GROUP BY e.id, e.revision
    HAVING count(v.number) <> e.revision OR max(v.number) <> e.revision`,
  "the last event of a history says how the execution is": `
    SELECT e.id FROM executions e
    LEFT JOIN execution_events v ON v.execution_id = e.id AND v.number = e.revision
    WHERE e.revision > 1 AND (
      v.status IS DISTINCT FROM e.status OR v.epoch IS DISTINCT FROM e.epoch
      OR v.at IS DISTINCT FROM e.updated_at OR v.attempt <> e.attempt
    )`,
  "no history goes back, in time, in epochs or in attempts, and none goes on after its end": `
    SELECT later.execution_id AS id FROM execution_events later
    JOIN execution_events v ON v.execution_id = later.execution_id AND v.number = later.number - 1
    WHERE later.at < v.at OR later.epoch < v.epoch OR later.attempt < v.attempt OR v.status IN ${ends}`,
  "what has ended is held by nobody and waits for nothing, and nothing else has ended": `
    SELECT e.id FROM executions e
    WHERE (e.stopped_at IS NOT NULL) <> (e.status IN ${ends})
      OR (e.stopped_at IS NOT NULL AND num_nonnulls(e.slot, e.start_by, e.deadline_at, e.input_expires_at) > 0)`,
  "a result is of what was completed": `
    SELECT x.execution_id AS id FROM execution_results x
    LEFT JOIN executions e ON e.id = x.execution_id
    WHERE e.status IS DISTINCT FROM 'completed'`,
  "the artifacts that count for an execution are its artifacts": `
    SELECT e.id FROM executions e
    WHERE e.artifact_count <> (SELECT count(*) FROM artifacts a WHERE a.execution_id = e.id)`
}

const Id = Schema.Struct({ id: Schema.String })

/** Rules that are broken, with some of the executions that break them; and how many executions there are. */
export const walk = Effect.fnUntraced(function* ({ rows, run }: BackupSession) {
  const broken = yield* Effect.forEach(Object.entries(historyRules), ([rule, query]) =>
    Effect.map(rows(Id, `SELECT DISTINCT id::text FROM (${query}) AS found LIMIT 5`), (found) =>
      found.map(({ id }) => `${id}: ${rule}`)
    )
  )
  return { executions: yield* run("SELECT FROM executions"), broken: broken.flat() }
})
