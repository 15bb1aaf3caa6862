/** The sessions of runners in PostgreSQL. */
import { Agent } from "@runhook/core/domain/Agent"
import { type AccountId, ExecutionId, type RunnerKeyId, type SessionId } from "@runhook/core/domain/Ids"
import { presence, RunnerSession } from "@runhook/core/domain/RunnerSession"
import { SessionLimitReached, SessionNotFound } from "@runhook/core/ports/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "./Buckets.ts"
import type { Moments } from "./clock/StoreClock.ts"
import { claimOf, ClaimRow, taskColumns, taskOf } from "./claiming/ClaimStatement.ts"
import { leave } from "./moves/Leasing.ts"
import { decoded, decodedFirst } from "./Outcomes.ts"
import { PgRuns } from "./PgRuns.ts"
import { agentColumns } from "./rows/AgentColumns.ts"
import { runColumns } from "./rows/RunRow.ts"

const IdRow = Schema.Struct({ id: ExecutionId })

const sessionColumns = `
  id, account_id AS "accountId", runner_key_id AS "runnerKeyId", instance_id AS "instanceId",
  runner_name AS "runnerName", version, agent_ids AS "agentIds", capacity, labels,
  is_draining AS "isDraining", created_at AS "createdAt", last_seen_at AS "lastSeenAt"`

export const makeSessions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const runs = yield* PgRuns
  const columns = sql.literal(sessionColumns)

  /** The same instance of the same key finds its session again, whatever id it proposes. */
  const save = (bucket: number, session: RunnerSession, moments: Moments) => sql`
    INSERT INTO runner_sessions AS s (
      bucket, account_id, id, runner_key_id, instance_id, runner_name, version, agent_ids, capacity, labels,
      is_draining, created_at, last_seen_at
    )
    VALUES (
      ${bucket}::smallint, ${session.accountId}::uuid, ${session.id}::uuid, ${session.runnerKeyId}::uuid,
      ${session.instanceId}::text, ${session.runnerName}::text, ${session.version}::text,
      ${session.agentIds}::uuid[], ${session.capacity}::integer, ${JSON.stringify(session.labels)}::json,
      ${session.isDraining}::boolean, ${moments.after(DateTime.distance(session.lastSeenAt, session.createdAt))},
      ${moments.now}
    )
    ON CONFLICT (bucket, account_id, runner_key_id, instance_id) DO UPDATE
      SET runner_name = excluded.runner_name, version = excluded.version, agent_ids = excluded.agent_ids,
        capacity = excluded.capacity, labels = excluded.labels, is_draining = excluded.is_draining,
        last_seen_at = excluded.last_seen_at
    RETURNING ${columns}`

  /** One opening of a key after the other, for as long as the transaction lasts. */
  const lockKey = ({ runnerKeyId }: RunnerSession) =>
    sql`SELECT id FROM runner_keys WHERE id = ${runnerKeyId}::uuid FOR UPDATE`

  /** A row when the session would be one too many: a new one beside as many of the key as may be present. */
  const isTooMany = (bucket: number, session: RunnerSession, presentMax: number, moments: Moments) => sql`
    SELECT s.id
    FROM runner_sessions s
    WHERE s.bucket = ${bucket}::smallint AND s.account_id = ${session.accountId}::uuid
      AND s.runner_key_id = ${session.runnerKeyId}::uuid
      AND s.last_seen_at > ${moments.before(presence)}
      AND NOT EXISTS (
        SELECT FROM runner_sessions same
        WHERE same.bucket = ${bucket}::smallint AND same.account_id = ${session.accountId}::uuid
          AND same.runner_key_id = ${session.runnerKeyId}::uuid
          AND same.instance_id = ${session.instanceId}::text
      )
    OFFSET ${presentMax - 1}::integer
    LIMIT 1`

  const saveWithin = Effect.fnUntraced(
    function* (bucket: number, session: RunnerSession, presentMax: number) {
      const moments = runs.momentsAt(session.lastSeenAt)
      yield* lockKey(session)
      const tooMany = yield* isTooMany(bucket, session, presentMax, moments)
      if (tooMany.length > 0) return yield* new SessionLimitReached({ limit: presentMax })
      return yield* decodedFirst(RunnerSession)(save(bucket, session, moments))
    },
    (saving) => sql.withTransaction(saving)
  )

  const agentsOf = (bucket: number, { accountId, agentIds }: RunnerSession) => sql`
    SELECT ${sql.literal(agentColumns)}
    FROM agents a
    WHERE a.bucket = ${bucket}::smallint AND a.account_id = ${accountId}::uuid
      AND (${agentIds}::uuid[] IS NULL OR a.id = ANY (${agentIds}::uuid[]))
    ORDER BY a.id`

  const heldBy = (bucket: number, { accountId, id }: Pick<RunnerSession, "accountId" | "id">) => sql`
    SELECT ${sql.literal(runColumns("e"))}, NULL::json AS result, ${sql.literal(taskColumns)}
    FROM ${slotsOf(bucket, { accountId, id })}
    CROSS JOIN LATERAL (
      SELECT e.* FROM executions e
      WHERE e.bucket = ${bucket}::smallint AND e.id = s.execution_id AND e.session_id = ${id}::uuid
      LIMIT 1
    ) AS e
    ${taskOf(sql, bucket, "e")}
    ORDER BY e.id DESC`

  /** The slots `s` that a session holds: a walk over those of the account's agents. */
  const slotsOf = (bucket: number, { accountId, id }: Pick<RunnerSession, "accountId" | "id">) => sql`
    (
      SELECT held.execution_id
      FROM agents a
      CROSS JOIN LATERAL (
        SELECT s.execution_id
        FROM agent_slots s
        WHERE s.bucket = ${bucket}::smallint AND s.agent_id = a.id AND s.session_id = ${id}::uuid
        OFFSET 0
      ) AS held
      WHERE a.bucket = ${bucket}::smallint AND a.account_id = ${accountId}::uuid
    ) AS s`

  const open = Effect.fnUntraced(function* ({
    presentMax,
    session: opened
  }: {
    readonly session: RunnerSession
    readonly presentMax: number
  }) {
    const bucket = yield* buckets.of(opened.accountId)
    const session = yield* saveWithin(bucket, opened, presentMax)
    if (session === undefined) return yield* Effect.die(new Error(`Session ${opened.id} was not stored`))
    const agents = yield* decoded(Agent)(agentsOf(bucket, session))
    const held = yield* decoded(ClaimRow)(heldBy(bucket, session))
    return { session, agents, held: held.map(claimOf) }
  })

  const get = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly runnerKeyId: RunnerKeyId
    readonly id: SessionId
  }) {
    const { accountId, id, runnerKeyId } = options
    const bucket = yield* buckets.of(accountId)
    const session = yield* decodedFirst(RunnerSession)(sql`
      SELECT ${columns}
      FROM runner_sessions
      WHERE bucket = ${bucket}::smallint AND account_id = ${accountId}::uuid AND id = ${id}::uuid
        AND runner_key_id = ${runnerKeyId}::uuid`)
    return session ?? (yield* new SessionNotFound({ id }))
  })

  const close = Effect.fnUntraced(
    function* (options: {
      readonly accountId: AccountId
      readonly id: SessionId
      readonly at: DateTime.Utc
    }) {
      const { accountId, id } = options
      const bucket = yield* buckets.of(accountId)
      const closed = yield* sql`
        DELETE FROM runner_sessions
        WHERE bucket = ${bucket}::smallint AND account_id = ${accountId}::uuid AND id = ${id}::uuid
        RETURNING id`
      if (closed.length === 0) return yield* new SessionNotFound({ id })
      const held = yield* decoded(IdRow)(sql`
        SELECT s.execution_id AS id FROM ${slotsOf(bucket, { accountId, id })} ORDER BY id`)
      const steps = [leave(sql, { moments: runs.momentsAt(options.at), sessionId: id })]
      const changes = yield* Effect.forEach(held, (each) =>
        runs.tryMove({ accountId, id: each.id }, steps, "wait")
      )
      return changes.filter((change) => change !== undefined)
    },
    (closing) => sql.withTransaction(closing)
  )

  return { open, get, close }
})
