/**
 * The revision of a bucket's endpoints. Statements that store changes of executions name the one that they were made
 * for, and store nothing if it is another by then: so no process misses an endpoint, however old what it knows.
 */
import type { SqlClient } from "effect/sql/SqlClient"
import { inBucket, integer, smallint } from "../sql/Parameters.ts"
import { fixed, type InBucket } from "../sql/Statement.ts"

/** Before the first endpoint of a bucket. */
export const noRevision = 0

export interface ForEndpoints extends InBucket {
  /** The revision for which it was made. */
  readonly endpointsAt: number
}

/** Whether the endpoints of the bucket have changed. One probe of a table with few rows, whatever the statement stores. */
export const isStale = fixed<ForEndpoints>`(
    coalesce((SELECT v.revision FROM webhook_endpoint_revisions v WHERE v.bucket = ${inBucket}), ${noRevision})
    <> ${integer(({ endpointsAt }: ForEndpoints) => endpointsAt)}
  )`

/** In the transaction of a change of endpoints. Changes of one bucket wait for each other here. */
export const raiseRevision = (sql: SqlClient, bucket: number) => sql`
  INSERT INTO webhook_endpoint_revisions AS v (bucket, revision) VALUES (${smallint(bucket)}, ${integer(noRevision + 1)})
  ON CONFLICT (bucket) DO UPDATE SET revision = v.revision + 1`
