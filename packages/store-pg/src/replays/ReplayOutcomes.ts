/** Counts how replayed deliveries ended, for their jobs, in the statement that ends their rounds. */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { smallint } from "../sql/Parameters.ts"

/** As many dispatchers may count for one job at once. */
const parts = 16

/** The part in which a batch of settled deliveries is counted: by its first one, so that batches spread. */
export const partOf = (deliveryId: string | undefined): number =>
  Number.parseInt(deliveryId?.slice(-4) ?? "0", 16) % parts

/**
 * Counts the rows `c` of a relation that a job has replayed and that came to
 * their end, by their `state`. Jobs always in one order: two dispatchers would
 * otherwise wait for each other.
 */
export const countsOutcomes = (
  sql: SqlClient,
  options: {
    readonly bucket: number
    readonly part: number
    readonly relation: string
    readonly state: Fragment
  }
): Fragment => {
  const { bucket, part, relation, state } = options
  return sql`
    INSERT INTO webhook_replay_outcomes AS o (bucket, account_id, replay_id, part, delivered, failed)
    SELECT ${smallint(bucket)}, c.account_id, c.replay_id, ${smallint(part)},
      count(*) FILTER (WHERE ${state} = 'delivered'), count(*) FILTER (WHERE ${state} = 'dead')
    FROM ${sql.literal(relation)} c
    WHERE c.replay_id IS NOT NULL AND ${state} <> 'pending'
    GROUP BY c.account_id, c.replay_id
    ORDER BY c.account_id, c.replay_id
    ON CONFLICT (bucket, account_id, replay_id, part) DO UPDATE
    SET delivered = o.delivered + excluded.delivered, failed = o.failed + excluded.failed`
}
