/**
 * Executions. The request never changes and may be large; the state changes often and is kept apart, narrow, and with
 * no index on anything that every execution changes, so that PostgreSQL updates it in place (HOT).
 */
import * as ListNumbers from "../executions/list/ListNumbers.ts"
import { keepBucketsUnknown } from "./Tables.ts"

/** The index of lists that have a number in place of columns. Within one list, rows are ordered by id. */
const listIndex = (of: { table: string; name: string; number: (row: string) => string; id: string }) => [
  `CREATE INDEX ${of.table}_${of.name} ON ${of.table} ((${of.number(of.table)}), ${of.id})`,
  // A list that is long elsewhere may be absent in an account.
  `ALTER INDEX ${of.table}_${of.name} ALTER COLUMN 1 SET STATISTICS 0`
]

const requests = [
  `CREATE TABLE execution_requests (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    task_id uuid NOT NULL,
    task_version_id uuid NOT NULL,
    -- Compared byte by byte, so that an index finds what begins with a text.
    reference text COLLATE "C" NOT NULL,
    -- As text, so that keys keep their order and a callback its bytes.
    metadata json NOT NULL,
    params json NOT NULL,
    -- What of them is secret. Null for most: then it costs nothing.
    sealed_params text,
    -- Its size: lists end a page by it, and claims an answer, without reading what does not fit.
    bytes integer NOT NULL,
    priority smallint NOT NULL,
    scheduled_at timestamptz(3),
    expires_at timestamptz(3),
    timeout_seconds integer,
    max_attempts smallint NOT NULL,
    retry_backoff json NOT NULL,
    callback_url text,
    callback_events text[],
    request_id text NOT NULL,
    rerun_of uuid,
    -- Its concurrency key, with its limit and policy.
    concurrency json,
    created_at timestamptz(3) NOT NULL,
    -- So that it is found without an index of its own when the execution is removed.
    idempotency_key text,
    -- Its place in its caller's trace.
    traceparent text,
    schedule_id uuid,
    PRIMARY KEY (bucket, id)
  )`,
  `CREATE INDEX execution_requests_sealed ON execution_requests (id) WHERE sealed_params IS NOT NULL`,
  `CREATE INDEX execution_requests_by_account ON execution_requests (account_id, id)`,
  ...listIndex({
    table: "execution_requests",
    name: "by_agent_and_task",
    number: ListNumbers.ofAgentAndTask,
    id: "id"
  }),
  `CREATE INDEX execution_requests_by_reference ON execution_requests (account_id, reference, id)
    WHERE ${ListNumbers.isReferenceGiven("execution_requests")}`,
  // Of those alone that a schedule has made.
  `CREATE INDEX execution_requests_by_schedule ON execution_requests (schedule_id, id) WHERE schedule_id IS NOT NULL`,
  `ALTER TABLE execution_requests ALTER COLUMN schedule_id SET STATISTICS 0`,
  // A reference that was frequent once would make its list walk the whole account.
  `ALTER TABLE execution_requests ALTER COLUMN reference SET STATISTICS 0`
]

const states = [
  `CREATE TABLE executions (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    agent_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    priority smallint NOT NULL,
    artifact_count smallint NOT NULL DEFAULT 0,
    inputs jsonb NOT NULL DEFAULT '[]',
    -- Its place in the queue, and whether it is there: queued and without a slot.
    due_at timestamptz(3) NOT NULL,
    -- Set for few executions, so their indexes are small and most updates leave them alone.
    start_by timestamptz(3),
    deadline_at timestamptz(3),
    input_expires_at timestamptz(3),
    -- Moves change the columns from here on: the log of PostgreSQL omits unchanged bytes at both ends of a row.
    status text NOT NULL,
    status_reason text,
    error_message text,
    attempt smallint NOT NULL DEFAULT 0,
    epoch integer NOT NULL DEFAULT 0,
    -- The number of its latest event.
    revision integer NOT NULL DEFAULT 1,
    updated_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    stopped_at timestamptz(3),
    completion_epoch integer,
    completion_fingerprint text,
    completion_status text,
    -- The lease, while it has a slot. Its epoch is the execution's. A start changes less of it than a claim or an
    -- end.
    lease_expires_at timestamptz(3),
    slot integer,
    attempt_epoch integer,
    session_id uuid,
    claim_id text,
    PRIMARY KEY (bucket, id)
    -- Rows created and moved in batches lie close together: at 60 %, three of ten would leave their page once.
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX executions_by_start_end ON executions (start_by) WHERE start_by IS NOT NULL`,
  `CREATE INDEX executions_by_deadline ON executions (deadline_at) WHERE deadline_at IS NOT NULL`,
  `CREATE INDEX executions_by_input_end ON executions (input_expires_at) WHERE input_expires_at IS NOT NULL`,
  `CREATE TABLE execution_results (
    bucket smallint NOT NULL,
    execution_id uuid NOT NULL,
    result json NOT NULL,
    bytes integer NOT NULL,
    PRIMARY KEY (bucket, execution_id)
  )`,
  // The list of each execution, so that the executions need no index on what changes.
  `CREATE TABLE execution_status (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    execution_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    task_id uuid NOT NULL,
    status text NOT NULL,
    PRIMARY KEY (bucket, execution_id)
  ) WITH (fillfactor = 80)`,
  ...[
    { name: "by_status", number: ListNumbers.ofStatus },
    { name: "by_agent", number: ListNumbers.ofAgent },
    { name: "by_task", number: ListNumbers.ofTask }
  ].flatMap((index) => listIndex({ table: "execution_status", id: "execution_id", ...index })),
  // A status that is frequent elsewhere may be absent in a task.
  `ALTER TABLE execution_status ALTER COLUMN status SET STATISTICS 0`
]

const history = [
  // The type of each change. The request stands for the creation.
  `CREATE TABLE execution_events (
    bucket smallint NOT NULL,
    execution_id uuid NOT NULL,
    number integer NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    attempt smallint NOT NULL,
    epoch integer NOT NULL,
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (bucket, execution_id, number)
  )`,
  // The latest progress reports. Apart from the executions, since they may be long and change often.
  `CREATE TABLE execution_progress (
    bucket smallint NOT NULL,
    execution_id uuid NOT NULL,
    percent double precision,
    message text,
    step text,
    at timestamptz(3) NOT NULL,
    PRIMARY KEY (bucket, execution_id)
  ) WITH (fillfactor = 60)`,
  // The newest lines of their logs. The number, under one epoch, tells whether a line was sent before.
  `CREATE TABLE execution_logs (
    bucket smallint NOT NULL,
    execution_id uuid NOT NULL,
    sequence integer NOT NULL,
    at timestamptz(3) NOT NULL,
    level text NOT NULL,
    message text NOT NULL,
    attempt smallint NOT NULL,
    epoch integer NOT NULL,
    number integer,
    PRIMARY KEY (bucket, execution_id, sequence)
  )`,
  // What attempts keep for the next ones.
  `CREATE TABLE execution_checkpoints (
    bucket smallint NOT NULL,
    execution_id uuid NOT NULL,
    value json NOT NULL,
    PRIMARY KEY (bucket, execution_id)
  )`
]

export const executions = [
  ...requests,
  ...states,
  ...history,
  ...keepBucketsUnknown(
    "execution_requests",
    "executions",
    "execution_results",
    "execution_status",
    "execution_events",
    "execution_progress",
    "execution_checkpoints",
    "execution_logs"
  )
]
