/** Fits the slots of an agent to its capacity: a slot is the right to run one execution. */
import type { AgentId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { integer, smallint, uuid } from "../sql/Parameters.ts"

interface Wanted {
  readonly bucket: number
  readonly agentId: AgentId
  readonly capacity: number
}

/**
 * Two statements in the transaction that has locked the agent's row, so that two changes of its capacity never mix.
 * Surplus slots that are free go at once; those in use are marked and never assigned again.
 */
export const fitSlots = (sql: SqlClient, wanted: Wanted) =>
  Effect.andThen(dropSurplus(sql, wanted), addMissing(sql, wanted))

/**
 * Slots in use come first, so they are kept; surplus free ones are removed. ANY (ARRAY(…)) forces lookups by key: a
 * join would compare each slot with each while PostgreSQL does not know how many there are.
 */
const dropSurplus = (sql: SqlClient, { bucket, agentId, capacity }: Wanted) => sql`
  -- The slots of the agent, locked.
  WITH slots AS (
    SELECT slot, execution_id, is_surplus
    FROM agent_slots
    WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
    ORDER BY slot
    FOR UPDATE
  ),
  -- Numbered, those in use first.
  placed AS (
    SELECT slot, execution_id IS NULL AS is_free, is_surplus,
      row_number() OVER (ORDER BY execution_id IS NULL, slot) > ${integer(capacity)} AS is_too_many
    FROM slots
  ),
  -- Surplus slots that are free. Those in use are marked below, and never assigned again.
  removed AS (
    DELETE FROM agent_slots
    WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
      AND slot = ANY (ARRAY(SELECT slot FROM placed WHERE is_too_many AND is_free))
  )
  UPDATE agent_slots
  SET is_surplus = NOT is_surplus
  WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
    AND slot = ANY (
      ARRAY(SELECT slot FROM placed WHERE is_surplus <> is_too_many AND NOT (is_too_many AND is_free))
    )`

const addMissing = (sql: SqlClient, { bucket, agentId, capacity }: Wanted) => sql`
  INSERT INTO agent_slots (bucket, agent_id, slot)
  SELECT ${smallint(bucket)}, ${uuid(agentId)}, free.slot
  FROM (
    SELECT number AS slot, row_number() OVER (ORDER BY number) AS place
    FROM generate_series(1, ${integer(capacity)} * 2) AS number
    WHERE number NOT IN (
      SELECT slot
      FROM agent_slots
      WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
    )
  ) AS free
  WHERE free.place <= ${integer(capacity)} - (
    SELECT count(*)
    FROM agent_slots
    WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
  )`
