/** The sessions of runners in PostgreSQL. */
import { Agent } from "@runhook/core/catalog/Agent"
import {
  type AccountId,
  type AgentId,
  ExecutionId,
  type RunnerKeyId,
  SessionId
} from "@runhook/core/shared/Ids"
import type { PageRequest } from "@runhook/core/shared/Page"
import { leave } from "@runhook/core/runs/LeaseMoves"
import { unchanged } from "@runhook/core/runs/Run"
import { presence, type RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { type RunStore, SessionLimitReached, SessionNotFound } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { agentColumns } from "../catalog/AgentRow.ts"
import type { TimeSql } from "../clock/StoreClock.ts"
import { PgRuns } from "./moves/PgRuns.ts"
import { firstOf, rowsOf } from "../rows/Rows.ts"
import { takeTurn } from "../engine/Transactions.ts"
import { behind, oneMore, pageOf } from "../sql/Paging.ts"
import {
  boolean,
  inBucket,
  integer,
  json,
  smallint,
  text,
  timestamptz,
  uuid,
  uuids
} from "../sql/Parameters.ts"
import { decoded } from "../sql/SqlErrors.ts"
import { type InBucket, statement, fixed } from "../sql/Statement.ts"
import { makeCheckpoints } from "./Checkpoints.ts"
import { claimTable, taskOf } from "./ClaimRow.ts"
import { sessionTable } from "./SessionRow.ts"

interface SessionRef extends InBucket {
  readonly accountId: AccountId
  readonly id: SessionId
}

const sessionId = uuid(({ id }: SessionRef) => id)

/** The slots `s` of a session, found among those of the account's agents. */
const slotsOf = fixed<SessionRef>`
  (
    SELECT held.execution_id
    FROM agents a
    CROSS JOIN LATERAL (
      SELECT s.execution_id
      FROM agent_slots s
      WHERE s.bucket = ${inBucket} AND s.agent_id = a.id AND s.session_id = ${sessionId}
      OFFSET 0
    ) AS held
    WHERE a.bucket = ${inBucket} AND a.account_id = ${uuid(({ accountId }) => accountId)}
  ) AS s`

const heldIds = statement(fixed<SessionRef>`SELECT s.execution_id AS id FROM ${slotsOf} ORDER BY id`)

const heldBy = statement(fixed<SessionRef>`
  SELECT ${claimTable.columns}
  FROM ${slotsOf}
  CROSS JOIN LATERAL (
    SELECT e.* FROM executions e
    WHERE e.bucket = ${inBucket} AND e.id = s.execution_id AND e.session_id = ${sessionId}
    LIMIT 1
  ) AS e
  ${taskOf}
  ORDER BY e.id DESC`)

const claimsOf = rowsOf(claimTable)

const BusyRow = Schema.Struct({ id: SessionId, busy: Schema.Int })
const IdRow = Schema.Struct({ id: ExecutionId })

export const makeSessions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const runs = yield* PgRuns
  const note = yield* makeNote
  const { withCheckpoints } = yield* makeCheckpoints
  const columns = sql.literal(sessionTable.columns)

  /** The same instance of the same key gets its session again, whatever id it proposes. */
  const save = (bucket: number, session: RunnerSession, timeSql: TimeSql) => sql`
    INSERT INTO runner_sessions AS s (
      bucket, account_id, id, runner_key_id, instance_id, runner_name, version, agent_ids, capacity, labels,
      is_draining, drain_requested_at, created_at, last_seen_at
    )
    VALUES (
      ${smallint(bucket)}, ${uuid(session.accountId)}, ${uuid(session.id)}, ${uuid(session.runnerKeyId)},
      ${text(session.instanceId)}, ${text(session.runnerName)}, ${text(session.version)}, ${uuids(session.agentIds)},
      ${integer(session.capacity)}, ${json(JSON.stringify(session.labels))}, ${boolean(session.isDraining)},
      ${timestamptz(session.drainRequestedAt)},
      ${timeSql.after(DateTime.distance(session.lastSeenAt, session.createdAt))}, ${timeSql.now}
    )
    ON CONFLICT (bucket, account_id, runner_key_id, instance_id) DO UPDATE
      SET runner_name = excluded.runner_name, version = excluded.version, agent_ids = excluded.agent_ids,
        capacity = excluded.capacity, labels = excluded.labels, is_draining = excluded.is_draining,
        drain_requested_at = NULL, last_seen_at = excluded.last_seen_at
    RETURNING ${columns}`

  /** Opens one session of a key at a time, until the end of the transaction. */
  const lockKey = ({ runnerKeyId }: RunnerSession) => takeTurn(sql, "sessions", runnerKeyId)

  /** A row if the session is new and its key has as many present sessions as it may have. */
  const isTooMany = (bucket: number, session: RunnerSession, presentMax: number, timeSql: TimeSql) => sql`
    SELECT s.id
    FROM runner_sessions s
    WHERE s.bucket = ${smallint(bucket)} AND s.account_id = ${uuid(session.accountId)}
      AND s.runner_key_id = ${uuid(session.runnerKeyId)}
      AND s.last_seen_at > ${timeSql.before(presence)}
      AND NOT EXISTS (
        SELECT FROM runner_sessions same
        WHERE same.bucket = ${smallint(bucket)} AND same.account_id = ${uuid(session.accountId)}
          AND same.runner_key_id = ${uuid(session.runnerKeyId)}
          AND same.instance_id = ${text(session.instanceId)}
      )
    OFFSET ${integer(presentMax - 1)}
    LIMIT 1`

  const saveWithin = Effect.fnUntraced(
    function* (bucket: number, session: RunnerSession, presentMax: number) {
      const timeSql = runs.timeSqlAt(session.lastSeenAt)
      yield* lockKey(session)
      const tooMany = yield* isTooMany(bucket, session, presentMax, timeSql)
      if (tooMany.length > 0) return yield* new SessionLimitReached({ limit: presentMax })
      return yield* firstOf(sessionTable)(save(bucket, session, timeSql))
    },
    (saving) => sql.withTransaction(saving)
  )

  const agentsOf = (bucket: number, { accountId, agentIds }: RunnerSession) => sql`
    SELECT ${sql.literal(agentColumns)}
    FROM agents a
    WHERE a.bucket = ${smallint(bucket)} AND a.account_id = ${uuid(accountId)}
      AND (${uuids(agentIds)} IS NULL OR a.id = ANY (${uuids(agentIds)}))
    ORDER BY a.id`

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
    const held = yield* claimsOf(heldBy(sql, { ...session, bucket }))
    return {
      session,
      agents,
      held: yield* withCheckpoints(
        bucket,
        held.map(({ claim }) => claim)
      )
    }
  })

  const get = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly runnerKeyId: RunnerKeyId
    readonly id: SessionId
  }) {
    const { accountId, id, runnerKeyId } = options
    const bucket = yield* buckets.of(accountId)
    const session = yield* firstOf(sessionTable)(sql`
      SELECT ${columns}
      FROM runner_sessions
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}
        AND runner_key_id = ${uuid(runnerKeyId)}`)
    return session ?? (yield* new SessionNotFound({ id }))
  })

  /** How many slots each session holds: no more than the account's agents have. */
  const busyOf = Effect.fnUntraced(function* (
    bucket: number,
    accountId: AccountId,
    ids: ReadonlyArray<SessionId>
  ) {
    const rows = yield* decoded(BusyRow)(sql`
      SELECT held.session_id AS id, count(*)::integer AS busy
      FROM agents a
      CROSS JOIN LATERAL (
        SELECT s.session_id
        FROM agent_slots s
        WHERE s.bucket = ${smallint(bucket)} AND s.agent_id = a.id AND s.session_id = ANY (${uuids(ids)})
        OFFSET 0
      ) AS held
      WHERE a.bucket = ${smallint(bucket)} AND a.account_id = ${uuid(accountId)}
      GROUP BY held.session_id`)
    return new Map(rows.map(({ busy, id }) => [id, busy]))
  })

  const list = Effect.fnUntraced(function* (
    { accountId, agentId }: { readonly accountId: AccountId; readonly agentId: AgentId | null },
    page: PageRequest
  ) {
    const bucket = yield* buckets.of(accountId)
    const rows = yield* rowsOf(sessionTable)(sql`
      SELECT ${columns}
      FROM runner_sessions
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND ${behind(sql, "id", page)}
        AND (${uuid(agentId)} IS NULL OR agent_ids IS NULL OR ${uuid(agentId)} = ANY (agent_ids))
      ORDER BY id DESC
      LIMIT ${integer(oneMore(page))}`)
    const { hasMore, items } = pageOf(rows, page)
    const busy = yield* busyOf(
      bucket,
      accountId,
      items.map(({ id }) => id)
    )
    return { items: items.map((session) => ({ session, busy: busy.get(session.id) ?? 0 })), hasMore }
  })

  const drain = Effect.fnUntraced(
    function* (options: Parameters<RunStore["Service"]["drainSession"]>[0]) {
      const { accountId, at, audit, id } = options
      const bucket = yield* buckets.of(accountId)
      const before = yield* firstOf(sessionTable)(sql`
        SELECT ${columns}
        FROM runner_sessions
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}
        FOR UPDATE`)
      if (before === undefined) return yield* new SessionNotFound({ id })
      if (before.drainRequestedAt !== null) return before
      const { now } = runs.timeSqlAt(at)
      const asked = yield* firstOf(sessionTable)(sql`
        UPDATE runner_sessions
        SET drain_requested_at = ${now}
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}
        RETURNING ${columns}`)
      const session = asked ?? before
      yield* note(audit?.(before, session.drainRequestedAt ?? at))
      return session
    },
    (draining) => sql.withTransaction(draining)
  )

  /**
   * Its unstarted work goes back once the session is closed, so that it takes no more meanwhile. If the process ends
   * in between, the work goes back at its start deadline.
   */
  const close = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly id: SessionId
    readonly at: DateTime.Utc
  }) {
    const { accountId, at, id } = options
    const bucket = yield* buckets.of(accountId)
    const closed = yield* sql`
      DELETE FROM runner_sessions
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}
      RETURNING id`
    if (closed.length === 0) return yield* new SessionNotFound({ id })
    const held = yield* decoded(IdRow)(heldIds(sql, { bucket, accountId, id }))
    const changes = yield* Effect.forEach(
      held,
      (each) =>
        runs.move({ ref: { accountId, id: each.id }, at }, (run, now) =>
          Result.succeed(run.lease?.sessionId === id ? leave(run, now) : unchanged(run))
        ),
      { concurrency: "unbounded" }
    ).pipe(Effect.catchTag("ExecutionNotFound", Effect.die))
    return changes.filter(({ changed }) => changed)
  })

  return { open, get, list, drain, close }
})
