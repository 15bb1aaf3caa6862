/** What the service keeps for itself, independent of accounts. */

/** Small and read by all: on a distributed PostgreSQL every node has a copy. */
export const shared = [
  `CREATE TABLE service_secrets (
    purpose text PRIMARY KEY,
    ciphertext text NOT NULL
  )`,
  `CREATE TABLE evidence_keys (
    kid text COLLATE "C" PRIMARY KEY,
    x text NOT NULL
  )`
]

/** About the server that processes connect to: on a distributed one, its coordinator alone. */
export const own = [
  // One row that is written to find out whether the database takes writes.
  `CREATE TABLE write_checks (
    id smallint PRIMARY KEY,
    checked_at timestamptz(3) NOT NULL
  )`,
  // Dispatchers with a recent sign of life.
  `CREATE TABLE webhook_dispatchers (
    id uuid PRIMARY KEY,
    beats integer NOT NULL
  )`
]
