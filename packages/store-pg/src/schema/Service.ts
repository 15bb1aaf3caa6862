/** What the service keeps for itself, independent of accounts. */
export const service = [
  `CREATE TABLE service_secrets (
    purpose text PRIMARY KEY,
    ciphertext text NOT NULL
  )`,
  `CREATE TABLE evidence_keys (
    kid text COLLATE "C" PRIMARY KEY,
    x text NOT NULL
  )`,
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
