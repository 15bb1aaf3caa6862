/** Extends leases and changes nothing else: no revision, no event. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import type { Lease } from "@runhook/core/runs/Lease"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { inBucket, integer, timestamptz, uuid } from "../../sql/Parameters.ts"
import { type Columns, fixedRows } from "../../sql/Rows.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { fixed, type InBucket, statement } from "../../sql/Statement.ts"

/** The new lease of a run that was read at a revision. */
export interface Extension {
  readonly id: ExecutionId
  readonly revision: number
  readonly lease: Lease | null
}

const columns: Columns<Extension> = {
  id: uuid(({ id }) => id),
  revision: integer(({ revision }) => revision),
  expires_at: timestamptz(({ lease }) => lease && lease.expiresAt)
}

const extendedRows = decoded(Schema.Struct({ id: ExecutionId }))

interface Extensions extends InBucket {
  readonly extensions: ReadonlyArray<Extension>
}

const extend = statement(fixed<Extensions>`
-- Runs that still have the revision they were read at, and an earlier end of their lease, locked.
WITH unmoved AS (
  SELECT e.id, a.expires_at
  FROM ${fixedRows("a", ({ extensions }: Extensions) => extensions, columns)}
  CROSS JOIN LATERAL (
    SELECT e.id FROM executions e
    WHERE e.bucket = ${inBucket} AND e.id = a.id AND e.revision = a.revision
      AND e.lease_expires_at < a.expires_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  ) AS e
)
UPDATE executions e
SET lease_expires_at = unmoved.expires_at
FROM unmoved
WHERE e.bucket = ${inBucket} AND e.id = ANY (ARRAY (SELECT id FROM unmoved)) AND e.id = unmoved.id
RETURNING e.id`)

/** Extends leases of runs that have not been moved since they were read, and answers which. Skips locked runs. */
export const extendLeases = (sql: SqlClient, bucket: number, extensions: ReadonlyArray<Extension>) =>
  Effect.map(
    extendedRows(extend(sql, { bucket, extensions })),
    (rows): ReadonlySet<ExecutionId> => new Set(rows.map(({ id }) => id))
  )
