/** Fits the slots of an agent to its capacity: a slot is the right to run one execution. */
import type { AgentId } from "@runhook/core/domain/Ids"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { integer, smallint, uuid } from "../sql/Parameters.ts"

interface Wanted {
  readonly bucket: number
  readonly agentId: AgentId
  readonly capacity: number
}

/**
 * Two statements, in the transaction that holds the agent's row locked, so
 * that two changes of one capacity never mix. What is too much goes at once
 * where it is free; slots in use are marked and never given again.
 */
export const fitSlots = (sql: SqlClient, wanted: Wanted) =>
  Effect.andThen(dropSurplus(sql, wanted), addMissing(sql, wanted))

/** Those in use come first and so are kept; of what is too many, the free ones are removed. */
const dropSurplus = (sql: SqlClient, { bucket, agentId, capacity }: Wanted) => sql`
  -- The slots of the agent, locked.
  WITH slots AS (
    SELECT slot, execution_id
    FROM agent_slots
    WHERE bucket = ${smallint(bucket)} AND agent_id = ${uuid(agentId)}
    ORDER BY slot
    FOR UPDATE
  ),
  -- Numbered: those in use come first, and so are kept.
  placed AS (
    SELECT slot, execution_id, row_number() OVER (ORDER BY execution_id IS NULL, slot) AS place FROM slots
  ),
  -- What is too many and free is removed. What is too many and in use is marked below, and never given again.
  removed AS (
    DELETE FROM agent_slots s
    USING placed p
    WHERE s.bucket = ${smallint(bucket)} AND s.agent_id = ${uuid(agentId)}
      AND s.slot = p.slot AND p.place > ${integer(capacity)} AND p.execution_id IS NULL
  )
  UPDATE agent_slots s
  SET is_surplus = p.place > ${integer(capacity)}
  FROM placed p
  WHERE s.bucket = ${smallint(bucket)} AND s.agent_id = ${uuid(agentId)}
    AND s.slot = p.slot AND s.is_surplus <> (p.place > ${integer(capacity)})
    AND NOT (p.place > ${integer(capacity)} AND p.execution_id IS NULL)`

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
