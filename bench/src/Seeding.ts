/** Generates millions of rows inside the database. */
import * as Schema from "effect/Schema"
import type { Database } from "./Postgres.ts"
import type { Tenant } from "./Service.ts"

/** Rows of one statement, so that none runs for long or holds much. */
const chunkSize = 250_000

const BucketRow = Schema.Struct({ bucket: Schema.Int })

export const bucketOf = async ({ run }: Database, { accountId }: Tenant): Promise<number> => {
  const [row] = await run("SELECT bucket FROM accounts WHERE id = $1::uuid", [accountId])
  return Schema.decodeUnknownSync(BucketRow)(row).bucket
}

export interface Seed {
  readonly database: Database
  readonly tenant: Tenant
  readonly rows: number
  /** When the last execution was made. Seeds of one time have the same executions. */
  readonly until: Date
}

/**
 * What a statement of a seed may read: one row per execution, numbered from
 * one, one per millisecond, its id in that order as
 * the service makes them.
 */
const numbered = `
  numbered AS (
    SELECT n, to_timestamp(ms / 1000.0) AS at,
      (
        lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text || $3::text), 1, 3)
        || '8' || substr(md5(n::text || $3::text), 4, 15)
      )::uuid AS id
    FROM (
      SELECT n, (extract(epoch FROM $4::timestamptz) * 1000)::bigint - $5::bigint + n AS ms
      FROM generate_series($1::bigint, $2::bigint) AS n
    ) AS times
  )`

/** Runs a statement, which continues `WITH numbered AS (...)`, over all rows of the seed. */
const seed = async (
  { database, rows, tenant, until }: Seed,
  statement: (bucket: number) => string
): Promise<void> => {
  const text = `WITH ${numbered} ${statement(await bucketOf(database, tenant))}`
  for (let first = 1; first <= rows; first += chunkSize) {
    const last = Math.min(first + chunkSize - 1, rows)
    await database.run(text, [first, last, tenant.accountId, until, rows])
  }
}

const retryAtOnce = `{"initialSeconds":0,"factor":1,"maxSeconds":0,"jitter":0}`

/** Executions that wait for the tenant's agent. Only the first `claimed` have all that a claim reads. */
export const seedBacklog = (options: Seed & { readonly claimed: number }): Promise<void> => {
  const { accountId, agentId, keyId, taskId, versionId } = options.tenant
  return seed(
    options,
    (bucket) => `
      , requested AS (
        INSERT INTO execution_requests (
          bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
          bytes, priority, max_attempts, retry_backoff, request_id, created_at
        )
        SELECT ${bucket}, '${accountId}', id, '${keyId}', '${agentId}', '${taskId}', '${versionId}', id::text, '{}',
          '{"copies":2}', 200, 0, 1, '${retryAtOnce}', 'req_0123456789abcdef0123', at
        FROM numbered
        WHERE n <= ${options.claimed}
      ),
      stored AS (
        INSERT INTO executions (
          bucket, account_id, id, agent_id, api_key_id, priority, status, updated_at, due_at
        )
        SELECT ${bucket}, '${accountId}', id, '${agentId}', '${keyId}', 0, 'queued', at, at
        FROM numbered
      )
      INSERT INTO ready_queue (bucket, agent_id, rank, due_at, execution_id)
      SELECT ${bucket}, '${agentId}', 0, at, id FROM numbered`
  )
}

/** One execution in so many has the tenant's task and agent; the others have some that no query asks for. */
const ownEvery = 100

/** One in so many failed, one in so many waits. The others completed. */
const othersEvery = 100

/** Executions, most of them completed, with results. */
export const seedHistory = (options: Seed & { readonly others: "ended" | "some waiting" }): Promise<void> => {
  const { accountId, agentId, keyId, taskId, versionId } = options.tenant
  const own = (id: string) =>
    `CASE WHEN n % ${ownEvery} = 0 THEN '${id}'::uuid ELSE ('01890000-0000-7000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid END`
  const status = `
    CASE WHEN n % ${othersEvery} = 7 THEN '${options.others === "ended" ? "error" : "queued"}' WHEN n % ${othersEvery} = 3 THEN 'error' ELSE 'completed' END`
  return seed(
    options,
    (bucket) => `
      , requested AS (
        INSERT INTO execution_requests (
          bucket, account_id, id, api_key_id, agent_id, task_id, task_version_id, reference, metadata, params,
          bytes, priority, max_attempts, retry_backoff, request_id, created_at
        )
        SELECT ${bucket}, '${accountId}', id, '${keyId}', ${own(agentId)}, ${own(taskId)}, '${versionId}',
          'order-' || n, '{"customer":"Acme","batch":"2025-07"}', '{"copies":2}', 200, 0, 1, '${retryAtOnce}',
          'req_0123456789abcdef0123', at
        FROM numbered
      ),
      stored AS (
        INSERT INTO executions (
          bucket, account_id, id, agent_id, api_key_id, priority, status, updated_at, due_at,
          started_at, stopped_at, attempt, epoch, revision
        )
        SELECT ${bucket}, '${accountId}', id, ${own(agentId)}, '${keyId}', 0, ${status}, at, at,
          CASE WHEN ${status} <> 'queued' THEN at END, CASE WHEN ${status} <> 'queued' THEN at END, 1, 1, 4
        FROM numbered
      ),
      listed AS (
        INSERT INTO execution_status (bucket, account_id, execution_id, agent_id, task_id, status)
        SELECT ${bucket}, '${accountId}', id, ${own(agentId)}, ${own(taskId)}, ${status} FROM numbered
      )
      INSERT INTO execution_results (bucket, execution_id, result, bytes)
      SELECT ${bucket}, id, '{"pages":2}', 11 FROM numbered WHERE ${status} = 'completed'`
  )
}

/** Deliveries to a receiver of the past, that were made at the first attempt. */
export const seedDelivered = (options: Seed): Promise<void> => {
  const { accountId, keyId } = options.tenant
  return seed(
    options,
    (bucket) => `
      INSERT INTO webhook_deliveries (
        bucket, account_id, id, api_key_id, execution_id, revision, type, url, request_id, reference,
        execution_status, state, attempts, round, first_attempt, attempted_at, expires_at, last_status,
        created_at, settled_at
      )
      SELECT ${bucket}, '${accountId}', id, '${keyId}', id, 1, 'execution.queued', 'https://past.example/callbacks',
        'req_0123456789abcdef0123', 'order-' || n, 'queued', 'delivered', 1, 1,
        json_build_object('at', (extract(epoch FROM at) * 1000)::bigint, 'ms', 3), at, at + interval '4 days', 200,
        at, at
      FROM numbered`
  )
}

export const pastTables = [
  "execution_requests",
  "executions",
  "execution_status",
  "execution_results",
  "ready_queue",
  "webhook_deliveries",
  "webhook_queue"
]

/** What a service has kept that has worked for a while. */
export const pastRows = ({ quick }: { readonly quick: boolean }): number => (quick ? 800 : 100_000)

/**
 * Gives accounts a past between them: executions that ended, and as many
 * callbacks that were delivered. Nothing waits, and the database knows that.
 */
export const seedPast = async (
  database: Database,
  tenants: ReadonlyArray<Tenant>,
  rows: number
): Promise<void> => {
  for (const tenant of tenants) {
    const share = { database, tenant, rows: Math.ceil(rows / tenants.length), until: new Date() }
    await seedHistory({ ...share, others: "ended" })
    await seedDelivered(share)
  }
  await database.run(`VACUUM (ANALYZE) ${pastTables.join(", ")}`)
}
