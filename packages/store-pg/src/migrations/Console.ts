/**
 * Links to the Integrations page, and who has signed in to it. Small and read
 * often: on a distributed PostgreSQL every node has a copy, so they are not
 * keyed by bucket; a session may be of several accounts, which lie in several.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE console_links (
      id uuid PRIMARY KEY,
      token_hash text NOT NULL UNIQUE,
      account_id uuid NOT NULL REFERENCES accounts (id),
      role text NOT NULL,
      name text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      used_at timestamptz(3)
    )`
  yield* sql`CREATE INDEX console_links_by_end ON console_links (expires_at)`
  yield* sql`
    CREATE TABLE console_sessions (
      id uuid PRIMARY KEY,
      token_hash text NOT NULL UNIQUE,
      name text NOT NULL,
      method text NOT NULL,
      subject text,
      memberships json NOT NULL,
      signed_in_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      ended_at timestamptz(3)
    )`
  yield* sql`CREATE INDEX console_sessions_by_end ON console_sessions (expires_at)`
})
