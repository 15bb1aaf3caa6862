/**
 * Who owns the rows of each table, where a distributed PostgreSQL has them, what bounds them, and what of them is sealed:
 * one entry for each table. Removal, pruning, erasure, distribution, sealing under another secret key, backup and the
 * tests of them read it. In the order in which the rows of an account are erased, and so locked.
 */
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { jobRemembered } from "@runhook/core/jobs/Job"
import { keptFor } from "@runhook/core/people/PersonSession"
import { countsKept, hoursKept, receiversKept, type Retention } from "@runhook/core/sweeps/Retention"
import { silenceMax } from "@runhook/core/runs/sessions/RunnerSession"
import type { SealedKind } from "@runhook/core/keys/sealing/SealedValues"
import type { Prunable } from "@runhook/core/sweeps/SweepStore"
import * as Duration from "effect/Duration"

/** What rows go with, by its id alone. */
export type WholeKind = "execution" | "delivery" | "job"

/**
 * Rows of an account, by its id or by those of its agents or API keys; rows that go with a whole; rows with a file, which
 * outlives them; records, which tell of an account after it is gone; what is nobody's.
 */
type Owner = "account" | "agents" | "keys" | WholeKind | "file" | "record" | "service"

/** Rows `t` that nobody needs any more. */
export interface AgeRule {
  readonly of: Prunable
  /** The condition that they fulfil, in SQL, in addition to their age. */
  readonly when?: string
  /** The moment since which they are kept, in SQL. */
  readonly since?: string
  readonly kept: (retention: Retention) => Duration.Duration
  /** What they are, with the rows that go with it. */
  readonly is?: WholeKind
}

type Bound =
  /** A number of rows that nothing raises. */
  | "fixed"
  /** What people set up: a row for each thing they make, or for each of an account, key or agent of theirs. */
  | "set up"
  /** So many at most in an account. */
  | "limited"
  /** Rows of unfinished executions, of which limits allow so many, or of deliveries that wait, which expire. */
  | "unfinished"
  /** Kept until the retention of an account is over, which a walk finds. */
  | "retention"
  /** Removed by who has done its work. */
  | "used up"
  /** Goes with its owner. */
  | "owner"
  | ReadonlyArray<AgeRule>

export interface OwnedTable {
  readonly name: string
  readonly of: Owner
  /** The column that tells apart the rows of an account; of other owners, the one with the owner's id. */
  readonly key: string
  readonly bound: Bound
  /** By `bucket`, as copies on every node, or on the coordinator alone. */
  readonly placed: "bucket" | "copies" | "coordinator"
  /** Columns whose text is sealed. */
  readonly sealed: { readonly [Kind in SealedKind]?: string }
}

const table = (
  name: string,
  of: Owner,
  key: string,
  {
    bound = "owner",
    placed = "bucket",
    sealed = {}
  }: Partial<Pick<OwnedTable, "bound" | "placed" | "sealed">> = {}
): OwnedTable => ({ name, of, key, bound, placed, sealed })

const none = () => Duration.zero

const endedJob: AgeRule = { of: "expired", is: "job", since: "t.finished_at", kept: () => jobRemembered }

/** A held receiver that nobody has probed, or one whose trouble is over: `isForgotten`. */
const lastTrouble = `coalesce(
  greatest(
    CASE WHEN t.openings > 0 THEN t.held_until ELSE t.closed_at END,
    t.held_until - interval '${Duration.toSeconds(deliveryLifetime)} seconds'
  ), '-infinity')`

const unusedKey = ["concurrency_seats", "concurrency_queue"]
  .map(
    (user) => `NOT EXISTS (
      SELECT FROM ${user} u WHERE u.bucket = t.bucket AND u.account_id = t.account_id AND u.key = t.key
    )`
  )
  .join(" AND ")

const endedExecution = `EXISTS (
  SELECT FROM executions e WHERE e.bucket = t.bucket AND e.id = t.execution_id AND e.stopped_at IS NOT NULL)`

const signIn: ReadonlyArray<AgeRule> = [{ of: "people", since: "t.expires_at", kept: () => keptFor }]

const countedBy = (since: string, kept: AgeRule["kept"], when = "TRUE"): AgeRule => ({
  of: "counts",
  when,
  since,
  kept
})
const daysKept = ({ counts = countsKept }: Retention) => counts

export const ownership: ReadonlyArray<OwnedTable> = [
  // What makes others work, before what they work on.
  table("schedules", "account", "id", { bound: "limited" }),
  table("webhook_queue", "account", "delivery_id", { bound: "unfinished" }),
  table("webhook_failing", "account", "delivery_id", { bound: "unfinished" }),
  table("endpoint_outbox", "account", "execution_id", { bound: "used up" }),
  table("webhook_endpoints", "account", "id", {
    bound: "limited",
    sealed: { endpoint: "ciphertext", previousOfEndpoint: "previous_ciphertext" }
  }),
  table("webhook_replays", "account", "id", { bound: [endedJob] }),
  table("cancel_jobs", "account", "id", { bound: [endedJob] }),
  table("ready_queue", "agents", "execution_id", { bound: "unfinished" }),
  table("delayed_queue", "agents", "execution_id", { bound: "unfinished" }),
  table("concurrency_queue", "account", "execution_id", { bound: "unfinished" }),
  table("concurrency_seats", "account", "execution_id", { bound: "unfinished" }),
  table("concurrency_keys", "account", "key", { bound: [{ of: "remnants", when: unusedKey, kept: none }] }),

  table("execution_requests", "account", "id", { bound: "retention", sealed: { params: "sealed_params" } }),
  table("executions", "execution", "id"),
  table("execution_results", "execution", "execution_id"),
  table("execution_status", "execution", "execution_id"),
  table("execution_events", "execution", "execution_id"),
  table("execution_progress", "execution", "execution_id"),
  table("execution_checkpoints", "execution", "execution_id", {
    bound: [{ of: "remnants", when: endedExecution, kept: none }]
  }),
  table("execution_logs", "execution", "execution_id"),
  table("artifacts", "file", "execution_id"),
  table("webhook_deliveries", "account", "id", { bound: "retention" }),
  table("webhook_attempts", "delivery", "delivery_id"),
  table("webhook_dead", "delivery", "delivery_id"),

  // What others are found by comes after them.
  table("webhook_replay_outcomes", "job", "replay_id"),
  table("webhook_receivers", "account", "origin", {
    bound: [{ of: "receivers", since: lastTrouble, kept: () => deliveryLifetime }]
  }),
  table("agent_slots", "agents", "agent_id", { bound: "set up" }),
  table("agents", "account", "id", { bound: "set up" }),
  table("runner_sessions", "account", "id", {
    bound: [{ of: "expired", since: "t.last_seen_at", kept: () => silenceMax }]
  }),
  table("task_tags", "account", "task_id", { bound: "set up" }),
  table("task_versions", "account", "id", { bound: "set up" }),
  table("tasks", "account", "id", { bound: "set up" }),
  table("artifact_usage", "account", "account_id", { bound: "set up" }),
  table("artifact_leftovers", "record", "id", { bound: "used up" }),
  table("live_releases", "account", "execution_id", { bound: "unfinished" }),
  table("live_counts", "account", "api_key_id", { bound: "set up" }),
  table("key_uses", "account", "api_key_id", { bound: "set up" }),
  table("receiver_sums", "account", "origin", { bound: [countedBy("t.at", () => receiversKept)] }),
  table("receiver_attempts", "account", "origin", { bound: [countedBy("t.latest_hour", daysKept)] }),
  table("idempotency_keys", "keys", "key", { bound: [{ of: "expired", since: "t.expires_at", kept: none }] }),
  table("usage_sums", "record", "at", {
    bound: [countedBy("t.at", hoursKept, "t.span = 'hour'"), countedBy("t.at", daysKept, "t.span = 'day'")]
  }),
  table("audit_log", "record", "id", { bound: "retention" }),

  ...[
    table("signing_secrets", "keys", "id", { bound: "set up", sealed: { signingSecret: "ciphertext" } }),
    table("api_keys", "account", "id", { bound: "set up" }),
    table("runner_keys", "account", "id", { bound: "set up" }),
    table("console_links", "account", "id", { bound: signIn }),
    table("console_sessions", "account", "id", { bound: signIn }),
    table("accounts", "record", "id", { bound: "set up" }),
    table("service_secrets", "service", "purpose", { bound: "set up", sealed: { pepper: "ciphertext" } }),
    table("evidence_keys", "service", "kid", { bound: "set up" })
  ].map((each) => ({ ...each, placed: "copies" as const })),

  ...[
    table("alerts", "account", "subject", { bound: "used up" }),
    table("alert_targets", "account", "id", { bound: "limited", sealed: { alertTarget: "ciphertext" } }),
    table("alert_turns", "service", "id", { bound: "fixed" }),
    table("alert_allowances", "service", "subject", { bound: "used up" }),
    table("write_checks", "service", "id", { bound: "fixed" }),
    table("webhook_dispatchers", "service", "id", { bound: "used up" })
  ].map((each) => ({ ...each, placed: "coordinator" as const }))
]

/** The names of the tables that are so. */
export const tablesThat = (are: (table: OwnedTable) => boolean): ReadonlyArray<string> =>
  ownership.filter(are).map(({ name }) => name)

/** Each rule by which rows are pruned, with their table. */
export const ageRules: ReadonlyArray<{ readonly table: OwnedTable; readonly rule: AgeRule }> =
  ownership.flatMap((each) =>
    typeof each.bound === "string" ? [] : each.bound.map((rule) => ({ table: each, rule }))
  )

/** Where sealed text is. */
export const sealedColumns = ownership.flatMap((each) =>
  Object.entries(each.sealed).map(([kind, column]) => ({ kind, table: each, column }))
)
