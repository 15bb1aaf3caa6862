/** What the service keeps for itself, whatever accounts there are. */
export const service = [
  `CREATE TABLE service_secrets (
    purpose text PRIMARY KEY,
    ciphertext text NOT NULL
  )`,
  // One row that is written to find out whether the database takes writes.
  `CREATE TABLE write_checks (
    id smallint PRIMARY KEY,
    checked_at timestamptz(3) NOT NULL
  )`,
  // Which dispatchers have lately been heard of.
  `CREATE TABLE webhook_dispatchers (
    id uuid PRIMARY KEY,
    beats integer NOT NULL
  )`
]
