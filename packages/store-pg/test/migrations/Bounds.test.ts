/** What bounds each table, so that none grows by use alone. A new table belongs here too. */
import { assert, describe, it } from "@effect/vitest"
import { schema } from "@runhook/store-pg/schema/Schema"
import { tablesOf } from "@runhook/store-pg/schema/Tables"

const bounds = {
  /** A number of rows that nothing raises. */
  fixed: ["write_checks", "alert_turns"],
  /** What people set up: a row for each thing they make, or for each of an account, key or agent of theirs. */
  setUp: [
    "service_secrets",
    "evidence_keys",
    "accounts",
    "api_keys",
    "signing_secrets",
    "runner_keys",
    "tasks",
    "task_versions",
    "task_tags",
    "agents",
    "agent_slots",
    "live_counts",
    "key_uses",
    "artifact_usage"
  ],
  /** So many at most in an account. */
  limited: ["schedules", "webhook_endpoints", "alert_targets"],
  /** Kept until its retention is over, with all that is its: `executionsKeptSince`. */
  executions: [
    "execution_requests",
    "executions",
    "execution_results",
    "execution_status",
    "execution_events",
    "execution_progress",
    "execution_logs",
    "artifacts"
  ],
  /** Rows of unfinished executions, of which limits allow so many. What has ended leaves them. */
  unfinished: [
    "ready_queue",
    "delayed_queue",
    "concurrency_seats",
    "concurrency_queue",
    "live_releases",
    // `pruneRemnants`.
    "concurrency_keys",
    "execution_checkpoints"
  ],
  /** Kept until its retention is over: `forgottenAt`. What waits expires. */
  deliveries: ["webhook_deliveries", "webhook_attempts", "webhook_queue", "webhook_failing", "webhook_dead"],
  /** A sweep prunes what is older than a time of their own. */
  aged: [
    "idempotency_keys",
    "runner_sessions",
    "console_links",
    "console_sessions",
    "webhook_receivers",
    "webhook_replays",
    "webhook_replay_outcomes",
    "cancel_jobs",
    "audit_log",
    "usage_sums",
    "receiver_sums",
    "receiver_attempts",
    "alert_allowances"
  ],
  /** Removed by who has done its work. */
  done: ["alerts", "artifact_leftovers", "endpoint_outbox", "webhook_dispatchers"]
}

describe("The schema", () => {
  it("has no table that nothing bounds", () => {
    assert.deepStrictEqual(Object.values(bounds).flat().toSorted(), [...tablesOf(schema)].toSorted())
  })
})
