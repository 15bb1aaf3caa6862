/**
 * The same rows that the store writes when a runner starts and finishes, by
 * plain `pg`, one statement and one commit for each move. The count of live
 * executions is left out: its lock would make them wait for each other. It
 * knows no lease that ran out, no retry, no callback, and answers nobody why
 * it did nothing.
 */
import { Pool } from "pg"

/** Whose executions these are. */
export interface Owner {
  readonly bucket: number
  readonly accountId: string
  readonly agentId: string
}

/** An execution that a runner has claimed. */
export interface Held {
  readonly id: string
  readonly epoch: number
}

export interface MovesByHand {
  readonly start: (held: Held) => Promise<void>
  readonly finish: (held: Held) => Promise<void>
}

const start = `
  WITH moved AS (
    UPDATE executions
    SET revision = revision + 1, updated_at = now(), status = 'running', started_at = now(), attempt = attempt + 1,
      announced = announced || 'execution.started'::text, lease_expires_at = now() + interval '60 seconds'
    WHERE bucket = $1 AND id = $2 AND account_id = $3 AND epoch = $4 AND slot IS NOT NULL AND status = 'queued'
    RETURNING *
  )
  INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
  SELECT $1, id, revision, status, epoch, updated_at, 'started', attempt FROM moved`

const finish = `
  WITH held AS (
    SELECT slot FROM executions
    WHERE bucket = $1 AND id = $2 AND account_id = $3 AND epoch = $4 AND slot IS NOT NULL AND status = 'running'
  ),
  moved AS (
    UPDATE executions e
    SET revision = revision + 1, updated_at = now(), status = 'completed', stopped_at = now(),
      announced = announced || 'execution.completed'::text, slot = NULL, session_id = NULL, claim_id = NULL,
      lease_expires_at = NULL, completion_epoch = $4, completion_fingerprint = $7, completion_status = 'completed'
    FROM held
    WHERE e.bucket = $1 AND e.id = $2 AND e.epoch = $4 AND e.status = 'running'
    RETURNING e.*
  ),
  freed AS (
    UPDATE agent_slots s SET execution_id = NULL, session_id = NULL
    WHERE s.bucket = $1 AND s.agent_id = $5 AND s.slot = (SELECT slot FROM held)
  ),
  listed AS (
    UPDATE execution_status s SET status = m.status FROM moved m WHERE s.bucket = $1 AND s.execution_id = $2
  ),
  resulted AS (
    INSERT INTO execution_results (bucket, execution_id, result, bytes)
    SELECT $1, id, $6::text::json, octet_length($6::text) FROM moved
  )
  INSERT INTO execution_events (bucket, execution_id, number, status, epoch, at, type, attempt)
  SELECT $1, id, revision, status, epoch, updated_at, 'completed', attempt FROM moved`

const result = JSON.stringify({ pages: 2 })
const fingerprint = "0".repeat(64)

/** On as many connections as the store has. */
export const open = (
  {
    connectionsMax,
    owner,
    url
  }: { readonly url: string; readonly connectionsMax: number; readonly owner: Owner },
  resources: AsyncDisposableStack
): MovesByHand => {
  const pool = new Pool({ connectionString: url, max: connectionsMax })
  resources.defer(() => pool.end())
  const { accountId, agentId, bucket } = owner
  const move = async (name: string, text: string, { id }: Held, values: ReadonlyArray<unknown>) => {
    const { rowCount } = await pool.query({ name, text, values: [...values] })
    if (rowCount !== 1) throw new Error(`${name} did not move execution ${id}`)
  }
  return {
    start: (held) => move("start", start, held, [bucket, held.id, accountId, held.epoch]),
    finish: (held) =>
      move("finish", finish, held, [bucket, held.id, accountId, held.epoch, agentId, result, fingerprint])
  }
}
