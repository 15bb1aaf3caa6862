import { assert, describe, it } from "@effect/vitest"
import { SessionsShared } from "@runhook/store-pg/connections/SharedSessions"
import { ServerTooOld } from "@runhook/store-pg/database/ServerVersion"
import { AuthenticationError, ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { databaseProblem } from "../../src/storage/DatabaseProblem.ts"

const saying = (message: string, code?: string, said = "PgConnection: Failed") => ({
  cause: Object.assign(new Error(message), { code }),
  message: said
})

describe("the problem with a database", () => {
  it.each([
    [
      "nobody listens",
      new SqlError({ reason: new ConnectionError(saying("connect", "ECONNREFUSED")) }),
      "no database answers there (ECONNREFUSED): start it, or correct host and port"
    ],
    [
      "the host has no address",
      new SqlError({ reason: new ConnectionError(saying("getaddrinfo", "ENOTFOUND")) }),
      "no database answers there (ENOTFOUND): start it, or correct host and port"
    ],
    [
      "its certificate is self-signed",
      new SqlError({
        reason: new ConnectionError(saying("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"))
      }),
      "a database answers there, but its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT): name it by sslrootcert, so that it is trusted"
    ],
    [
      "its authority is not trusted",
      new SqlError({ reason: new ConnectionError(saying("unable", "UNABLE_TO_VERIFY_LEAF_SIGNATURE")) }),
      "a database answers there, but its certificate is of an authority that is not trusted here (UNABLE_TO_VERIFY_LEAF_SIGNATURE): name that authority by sslrootcert"
    ],
    [
      "its certificate is for another host",
      new SqlError({ reason: new ConnectionError(saying("altnames", "ERR_TLS_CERT_ALTNAME_INVALID")) }),
      "a database answers there, but its certificate is for another name than the host of the URL (ERR_TLS_CERT_ALTNAME_INVALID): correct the host, or use sslmode=verify-ca, which takes any name"
    ],
    [
      "its certificate has expired",
      new SqlError({ reason: new ConnectionError(saying("certificate has expired", "CERT_HAS_EXPIRED")) }),
      "a database answers there, but its certificate has expired (CERT_HAS_EXPIRED): renew it, or set the clock of this machine right"
    ],
    [
      "it wants TLS",
      new SqlError({
        reason: new AuthenticationError(
          saying('no pg_hba.conf entry for host "10.0.0.1", no encryption', "28000")
        )
      }),
      'the database refuses this connection: no pg_hba.conf entry for host "10.0.0.1", no encryption: correct the URL, or its pg_hba.conf'
    ],
    [
      "the connection takes too long",
      new SqlError({
        reason: new ConnectionError(
          saying("Connection timed out", undefined, "PgConnection: Connection timed out")
        )
      }),
      "what listens there does not answer in time: see whether the database runs and has a connection to spare, or correct host and port"
    ],
    [
      "a pooler does not know its parameters",
      new SqlError({
        reason: new ConnectionError(saying("unsupported startup parameter: search_path", "08P01"))
      }),
      "a pooler answers there, and says: unsupported startup parameter: search_path: have it ignore that (PgBouncer's ignore_startup_parameters), or name the database itself"
    ],
    [
      "a pooler cannot reach the database",
      new SqlError({ reason: new ConnectionError(saying("server login has been failing", "08P01")) }),
      "a pooler answers there, and says: server login has been failing: see its log, or name the database itself"
    ],
    [
      "a pooler shares sessions",
      new SessionsShared(),
      "a pooler in transaction mode answers there, and Runhook needs a session for each connection: set the pooler's pool_mode to session for this database, or name the database itself"
    ],
    [
      "the password is wrong",
      new SqlError({ reason: new AuthenticationError(saying("password authentication failed", "28P01")) }),
      "the database refuses this user or password: correct them, or let the user in"
    ],
    [
      "there is no such database",
      new SqlError({ reason: new UnknownError(saying('database "orders" does not exist', "3D000")) }),
      'database "orders" does not exist: create it, or correct its name'
    ],
    [
      "it is still starting up",
      new SqlError({ reason: new UnknownError(saying("the database system is starting up", "57P03")) }),
      "the database takes no connections now, as it starts, recovers or shuts down (57P03: the database system is starting up): wait until its log says that it is ready to accept connections"
    ],
    [
      "it is read-only",
      new SqlError({
        reason: new UnknownError(saying("cannot execute CREATE TABLE in a read-only transaction", "25006"))
      }),
      "the database is read-only, as a standby or by default_transaction_read_only (25006: cannot execute CREATE TABLE in a read-only transaction): let the address lead to the primary, or make this one writable"
    ],
    [
      "the server is too old",
      new ServerTooOld({ version: "14.12" }),
      "this is PostgreSQL 14.12, and Runhook needs 15 or later"
    ]
  ])("says what to do when %s", (_case, failure, problem) => {
    assert.strictEqual(databaseProblem("RUNHOOK_DATABASE_URL", failure), `RUNHOOK_DATABASE_URL: ${problem}`)
  })
})
