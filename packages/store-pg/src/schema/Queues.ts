/** Queues of agents, their slots, and counts that limits are checked against. */
import { keepBucketsUnknown } from "./Tables.ts"

const waiting = [
  `CREATE TABLE ready_queue (
    bucket smallint NOT NULL,
    agent_id uuid NOT NULL,
    rank smallint NOT NULL,
    due_at timestamptz(3) NOT NULL,
    execution_id uuid NOT NULL,
    PRIMARY KEY (bucket, agent_id, rank, due_at, execution_id)
  )`,
  `CREATE TABLE delayed_queue (
    bucket smallint NOT NULL,
    agent_id uuid NOT NULL,
    due_at timestamptz(3) NOT NULL,
    execution_id uuid NOT NULL,
    rank smallint NOT NULL,
    PRIMARY KEY (bucket, agent_id, due_at, execution_id)
  )`,
  `CREATE TABLE agent_slots (
    bucket smallint NOT NULL,
    agent_id uuid NOT NULL,
    slot integer NOT NULL,
    execution_id uuid,
    session_id uuid,
    -- Surplus since the capacity was lowered: never assigned again.
    is_surplus boolean NOT NULL DEFAULT false,
    PRIMARY KEY (bucket, agent_id, slot)
  ) WITH (fillfactor = 50)`
]

const admission = [
  `CREATE TABLE idempotency_keys (
    bucket smallint NOT NULL,
    api_key_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    execution_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    PRIMARY KEY (bucket, api_key_id, key)
  )`,
  `CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at)`,
  `CREATE TABLE live_counts (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    live integer NOT NULL DEFAULT 0,
    PRIMARY KEY (bucket, account_id, api_key_id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE live_releases (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    execution_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    PRIMARY KEY (bucket, account_id, execution_id)
  )`
]

/**
 * Seats of concurrency keys. What an execution of a key does writes only rows of its own, so none waits for another;
 * who gives the seats locks the key, and sees what has been written since it was last looked at.
 */
const seats = [
  `CREATE TABLE concurrency_keys (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (bucket, account_id, key)
  )`,
  `CREATE TABLE concurrency_seats (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    execution_id uuid NOT NULL,
    -- Left by its execution, and not given to another yet.
    is_left boolean NOT NULL DEFAULT false,
    PRIMARY KEY (bucket, execution_id)
  )`,
  `CREATE INDEX concurrency_seats_by_key ON concurrency_seats (account_id, key, execution_id)`,
  `CREATE INDEX concurrency_seats_left ON concurrency_seats (execution_id) WHERE is_left`,
  `CREATE TABLE concurrency_queue (
    bucket smallint NOT NULL,
    account_id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    execution_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    seat_rank smallint NOT NULL,
    rank smallint NOT NULL,
    due_at timestamptz(3) NOT NULL,
    seats smallint NOT NULL,
    -- When its key is to be looked at for its sake; null while only the end of others can seat it, never (infinity) while
    -- it is held or awaits input without a lease.
    look_at timestamptz(3),
    PRIMARY KEY (bucket, execution_id)
  )`,
  `CREATE INDEX concurrency_queue_by_key ON concurrency_queue (account_id, key, seat_rank, rank, due_at, execution_id)
    WHERE look_at IS NULL`,
  // Those that one which cancels others finds before it.
  `CREATE INDEX concurrency_queue_by_age ON concurrency_queue (account_id, key, seat_rank, execution_id)`,
  `CREATE INDEX concurrency_queue_by_agent ON concurrency_queue (agent_id)`,
  `CREATE INDEX concurrency_queue_looks ON concurrency_queue (look_at, execution_id) WHERE look_at IS NOT NULL`
]

export const queues = [
  ...waiting,
  ...seats,
  ...admission,
  ...keepBucketsUnknown(
    "ready_queue",
    "delayed_queue",
    "agent_slots",
    "idempotency_keys",
    "concurrency_seats",
    "concurrency_queue"
  )
]
