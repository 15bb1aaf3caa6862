/** Faults by which the audit log would leave something out, or say too much. */
import type { Fault, NamedTest } from "../Fault.ts"

const keyEvents = "packages/core/src/domain/audit/KeyEvents.ts"

const ofStore = (store: "memory" | "pg", title: string, ending: string): NamedTest => ({
  file:
    store === "memory"
      ? "packages/store-memory/test/MemoryStore.test.ts"
      : "packages/store-pg/test/PgStore.test.ts",
  suite: "packages/store-testing/src/audit/AuditSuite.ts",
  title,
  ending
})

const traces = "leaves no trace of "
const tells = "tells of "
const and = "who, from where, what it was and is, and no secret"

export const auditing: ReadonlyArray<Fault> = [
  {
    name: "audit-transaction",
    idea: "a link is made though the entry that tells of it could not be kept",
    file: "packages/store-memory/src/console/MemoryConsoleStore.ts",
    before: "          note(linkMade(row))\n          consoleLinks.set(row.tokenHash, row)\n",
    after: "          consoleLinks.set(row.tokenHash, row)\n          note(linkMade(row))\n",
    test: ofStore("memory", traces, "a link to sign in by whose entry cannot be kept")
  },
  {
    name: "audit-transaction-keys-pg",
    idea: "a key is revoked though the entry that tells of it could not be kept",
    file: "packages/store-pg/src/keys/PgApiKeyStore.ts",
    before: "(changing) => sql.withTransaction(changing)",
    after: "(changing) => changing",
    test: ofStore("pg", traces, "a revoked key whose entry cannot be kept")
  },
  {
    name: "audit-transaction-runners-pg",
    idea: "a runner key is made though the entry that tells of it could not be kept",
    file: "packages/store-pg/src/keys/PgRunnerKeyStore.ts",
    before: "(creating) => sql.withTransaction(creating)",
    after: "(creating) => creating",
    test: ofStore("pg", traces, "a new runner key whose entry cannot be kept")
  },
  {
    name: "audit-entry",
    idea: "nobody learns who has revoked a runner key",
    file: "packages/store-memory/src/keys/MemoryRunnerKeyStore.ts",
    before: "note(runnerKeyRevoked(",
    after: "void (runnerKeyRevoked(",
    test: ofStore("memory", tells, `a revoked runner key: ${and}`)
  },
  {
    name: "audit-secret",
    idea: "the hash of a key is in the audit log",
    file: keyEvents,
    before: "  after: { previous_expires_at: text(after.previousExpiresAt) }",
    after: "  after: { previous_expires_at: text(after.previousExpiresAt), hash: after.secretHash }",
    test: ofStore("memory", tells, `a rotated key: ${and}`)
  },
  {
    name: "audit-curl",
    idea: "nobody learns who has copied a signed request",
    file: "packages/core/src/usecases/CurlCommands.ts",
    before: "            yield* audit.add(copiedAsCurl(delivery, expiresAt))\n",
    after: "",
    test: {
      file: "packages/http/test/admin/Trying.test.ts",
      title: "is told of in the audit log, without what it was signed with"
    }
  },
  {
    name: "audit-formula",
    idea: "a spreadsheet calculates what somebody has chosen as a name",
    file: "packages/http/src/documents/Csv.ts",
    before: "isFormula.test(value) ? `'${value}` : value",
    after: "value",
    test: {
      file: "packages/http/test/admin/Audit.test.ts",
      title: "comes as one file of all that matches, whose cells no spreadsheet calculates"
    }
  },
  {
    name: "audit-foreign-pg",
    idea: "an account reads what happened in others",
    file: "packages/store-pg/src/audit/PgAuditStore.ts",
    before: "WHERE l.bucket = ${smallint(bucket)} AND l.account_id = ${uuid(accountId)}\n",
    after: "WHERE l.bucket = ${smallint(bucket)}\n",
    test: {
      file: "packages/store-pg/test/PgStore.test.ts",
      suite: "packages/store-testing/src/isolation/IsolationSuite.ts",
      title: "hides what is an account's from its neighbour",
      ending: "search the audit log"
    }
  }
]
