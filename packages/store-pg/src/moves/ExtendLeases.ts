/** Extends leases and changes nothing else: no revision, no event. */
import type { ExecutionId } from "@runhook/core/domain/Ids"
import type { Lease } from "@runhook/core/domain/run/Lease"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { askedRelation, columnsOf } from "../sql/AskedRelation.ts"

/** The lease that a run is to have, which was read at a revision. */
export interface Extension {
  readonly id: ExecutionId
  readonly revision: number
  readonly lease: Lease | null
}

const { instant, integer, uuid } = columnsOf<Extension>()

const columns = [
  uuid("id", ({ id }) => id),
  integer("revision", ({ revision }) => revision),
  instant("expires_at", ({ lease }) => lease && lease.expiresAt)
]

const text = `
WITH ${askedRelation(columns, "many")},
unmoved AS (
  SELECT e.id, a.expires_at
  FROM asked a
  CROSS JOIN LATERAL (
    SELECT e.id FROM executions e
    WHERE e.bucket = $1::smallint AND e.id = a.id AND e.revision = a.revision
      AND e.lease_expires_at < a.expires_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  ) AS e
)
UPDATE executions e
SET lease_expires_at = unmoved.expires_at
FROM unmoved
WHERE e.bucket = $1::smallint AND e.id = ANY (ARRAY (SELECT id FROM unmoved)) AND e.id = unmoved.id
RETURNING e.id`

/** Extends leases whose runs have not been moved since they were read, and answers which. What others hold locked is passed by. */
export const extendLeases = (sql: SqlClient, bucket: number, extensions: ReadonlyArray<Extension>) =>
  Effect.map(
    sql.unsafe<{ readonly id: ExecutionId }>(text, [
      bucket,
      ...columns.map(({ values }) => values(extensions))
    ]),
    (rows): ReadonlySet<ExecutionId> => new Set(rows.map(({ id }) => id))
  )
