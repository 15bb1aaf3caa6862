/** Agents in PostgreSQL, with their runs and runners. */
import { Agent, type AgentView } from "@runhook/core/catalog/Agent"
import { ExecutionStatus, isTerminal } from "@runhook/core/executions/ExecutionStatus"
import type { AccountId, AgentId } from "@runhook/core/shared/Ids"
import { presence } from "@runhook/core/runs/sessions/RunnerSession"
import { AgentInUse, AgentNotFound, AgentStore } from "@runhook/core/catalog/AgentStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { makeTimeSqlAt } from "../clock/StoreClock.ts"
import { listsOf } from "../executions/list/ListedStatus.ts"
import { ofAgent } from "../executions/list/ListNumbers.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { integer, smallint, texts, uuid, uuids } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction } from "../sql/SqlErrors.ts"
import { agentColumns } from "./AgentRow.ts"
import { fitSlots } from "./AgentSlots.ts"

const ViewRow = Schema.Struct({
  ...Agent.fields,
  busy: Schema.Int,
  queued: Schema.Int,
  draining: Schema.Array(Schema.Boolean),
  lastSeenAt: Schema.NullOr(Schema.DateTimeUtc)
})

const UseRow = Schema.Struct({ isUsed: Schema.Boolean })

/** Executions that still need their agent. */
const unfinished = ExecutionStatus.literals.filter((status) => !isTerminal(status))

/** The most waiting executions that are counted: more would cost more than the number is worth. */
const queuedMax = 100_000

export const layer = Layer.effect(
  AgentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const note = yield* makeNote
    const timeSqlAt = yield* makeTimeSqlAt

    /** The agents `a` of a bucket, with their queue, slots and runners at an instant. */
    const views = (bucket: number, at: DateTime.Utc) => sql`
      SELECT ${sql.literal(agentColumns)},
        (
          SELECT count(*)::integer
          FROM agent_slots s
          WHERE s.bucket = ${smallint(bucket)} AND s.agent_id = a.id AND s.execution_id IS NOT NULL
        ) AS busy,
        (
          SELECT count(*)::integer
          FROM (
            SELECT FROM ready_queue q
            WHERE q.bucket = ${smallint(bucket)} AND q.agent_id = a.id
            UNION ALL
            SELECT FROM delayed_queue q
            WHERE q.bucket = ${smallint(bucket)} AND q.agent_id = a.id
            UNION ALL
            SELECT FROM concurrency_queue q
            WHERE q.bucket = ${smallint(bucket)} AND q.agent_id = a.id AND q.look_at IS DISTINCT FROM 'infinity'
            LIMIT ${integer(queuedMax)}
          ) AS waiting
        ) AS queued,
        sessions.draining, sessions.last_seen_at AS "lastSeenAt"
      FROM agents a
      CROSS JOIN LATERAL (
        SELECT max(s.last_seen_at) AS last_seen_at,
          coalesce(
            array_agg(s.is_draining OR s.drain_requested_at IS NOT NULL) FILTER (
              WHERE s.last_seen_at > ${timeSqlAt(at).before(presence)}
            ),
            '{}'
          ) AS draining
        FROM runner_sessions s
        WHERE s.bucket = ${smallint(bucket)} AND s.account_id = a.account_id
          AND (s.agent_ids IS NULL OR a.id = ANY (s.agent_ids))
      ) AS sessions
      WHERE a.bucket = ${smallint(bucket)}`

    const get = Effect.fnUntraced(function* (accountId: AccountId, id: AgentId, at: DateTime.Utc) {
      const bucket = yield* buckets.of(accountId)
      const row = yield* decodedFirst(ViewRow)(
        sql`${views(bucket, at)} AND a.account_id = ${uuid(accountId)} AND a.id = ${uuid(id)}`
      )
      return row === undefined ? yield* new AgentNotFound({ id }) : viewOf(row)
    })

    const by = (lock: Fragment) =>
      Effect.fnUntraced(function* (accountId: AccountId, id: AgentId) {
        const bucket = yield* buckets.of(accountId)
        const agent = yield* decodedFirst(Agent)(sql`
          SELECT ${sql.literal(agentColumns)}
          FROM agents a
          WHERE a.bucket = ${smallint(bucket)} AND a.account_id = ${uuid(accountId)} AND a.id = ${uuid(id)} ${lock}`)
        return agent ?? (yield* new AgentNotFound({ id }))
      })

    /** Locks the agent, so that of two concurrent changes the second sees the result of the first. */
    const locked = by(sql`FOR UPDATE`)

    return AgentStore.of({
      create: Effect.fnUntraced(function* (agent, audit) {
        const { accountId, id, capacity } = agent
        const bucket = yield* buckets.of(accountId)
        yield* sql`INSERT INTO agents ${inserting(sql, "agents", { bucket, ...agent })}`
        yield* fitSlots(sql, { bucket, agentId: id, capacity })
        yield* note(audit?.(agent))
      }, atomic),

      find: flow(by(sql``), idempotentOrDefect),

      get: flow(({ accountId, id, at }) => get(accountId, id, at), idempotentOrDefect),

      list: Effect.fnUntraced(function* ({ accountId, ids, at }, page) {
        const bucket = yield* buckets.of(accountId)
        const rows = yield* decoded(ViewRow)(sql`
          ${views(bucket, at)} AND a.account_id = ${uuid(accountId)}
            AND (${uuids(ids)} IS NULL OR a.id = ANY (${uuids(ids)}))
            AND ${newest(sql, "a.id", page)}`)
        return pageOf(rows.map(viewOf), page)
      }, idempotentOrDefect),

      update: Effect.fnUntraced(function* ({ accountId, id, change, at, audit }) {
        const bucket = yield* buckets.of(accountId)
        const agent = yield* locked(accountId, id)
        const changed: Agent = { ...agent, ...change }
        const { capacity } = changed
        yield* sql`
            UPDATE agents SET ${setting(sql, "agents", { ...changed, updatedAt: at })}
            WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}`
        if (capacity !== agent.capacity) yield* fitSlots(sql, { bucket, agentId: id, capacity })
        yield* note(audit?.(agent, changed))
        return yield* get(accountId, id, at)
      }, atomic),

      remove: Effect.fnUntraced(function* ({ accountId, id, audit }) {
        const bucket = yield* buckets.of(accountId)
        const agent = yield* locked(accountId, id)
        const use = yield* decodedFirst(UseRow)(sql`
            SELECT
              EXISTS (
                SELECT
                FROM (
                  SELECT ${uuid(accountId)} AS account_id, ${uuid(id)} AS agent_id, status
                  FROM unnest(${texts(listsOf(unfinished))}) AS status
                ) AS asked
                JOIN execution_status s ON ${sql.literal(`${ofAgent("s")} = ${ofAgent("asked")}`)}
                  AND ${buckets.within(bucket)("s")}
              ) AS "isUsed"`)
        if (use?.isUsed) return yield* new AgentInUse({ id })
        yield* sql`
            DELETE FROM agent_slots
            WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(id)}`
        yield* sql`
            DELETE FROM agents
            WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}`
        yield* note(audit?.(agent))
      }, atomic)
    })
  })
)

const viewOf = ({ busy, queued, draining, lastSeenAt, ...agent }: typeof ViewRow.Type): AgentView => ({
  agent,
  busy,
  queued,
  runners: draining.map((isDraining) => ({ isDraining })),
  lastSeenAt
})
