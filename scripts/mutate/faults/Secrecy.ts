/** Faults that would let in an attacker, or leak a secret. */
import { type Fault, inStore } from "../Fault.ts"

export const secrecy: ReadonlyArray<Fault> = [
  {
    name: "signature-unchecked",
    idea: "a receiver believes every callback that has a signature at all",
    file: "packages/core/src/signing/WebhookSignature.ts",
    before: "if (!secrets.some(isSigned))",
    after: "if (secrets.length === 0)",
    test: { file: "packages/core/test/signing/WebhookSignature.test.ts", title: ": is refused for " }
  },
  {
    name: "signature-timestamp",
    idea: "the timestamp is not signed, so that an old callback can be sent again as a new one",
    file: "packages/core/src/signing/WebhookSignature.ts",
    before: "hmac(keys.whole, body + timestamp)",
    after: "hmac(keys.whole, body)",
    test: { file: "packages/core/test/signing/WebhookSignature.test.ts", title: ": are signed" }
  },
  {
    name: "sealed-for",
    idea: "a sealed secret opens in the place of another",
    file: "packages/core/src/signing/SecretBox.ts",
    before: '["v1", id, row.purpose, row.id]',
    after: '["v1", id, row.purpose]',
    test: {
      file: "packages/core/test/signing/SecretBox.test.ts",
      title: "does not open for another row or another purpose"
    }
  },
  {
    name: "compare-in-time",
    idea: "how long a key is compared tells how much of it is right",
    file: "packages/core/src/signing/ApiKey.ts",
    before: "isEqualInConstantTime(hash(options.pepper, options.key), options.hash)",
    after: "hash(options.pepper, options.key) === options.hash",
    test: { file: "packages/core/test/signing/ConstantTime.test.ts", title: "compares a key with its hash" }
  },
  {
    name: "log-query",
    idea: "the access log holds the grants of file URLs",
    file: "packages/http/src/pipeline/AccessLog.ts",
    before: "const path = pathOf(request.url)",
    after: "const path = request.url",
    test: {
      file: "packages/http/test/pipeline/AccessLog.test.ts",
      title: "has a line for each request, without its query and its secret"
    }
  },
  {
    name: "ssrf-connected",
    idea: "a callback is sent to an address other than the one that was judged",
    file: "packages/guarded-http/src/GuardedConnector.ts",
    before:
      "yield* Effect.fromResult(checkAddress({ url: urlOf(target), address: dialled.address }, policy))",
    after: "",
    test: {
      file: "packages/guarded-http/test/GuardedConnector.test.ts",
      title: "closes a connection that ended up at a forbidden address"
    }
  },
  {
    name: "path-traversal",
    idea: "the key of an artifact names any file",
    file: "packages/artifacts/src/disk/StorageKey.ts",
    before: 'new RegExp(`^${uuid}/${uuid}/${uuid}$`, "u")',
    after: "/^[^]*$/u",
    test: { file: "packages/artifacts/test/disk/DiskArtifacts.test.ts", title: "as a defect of its caller" }
  },
  {
    name: "account-of-move-pg",
    idea: "an account moves the executions of another",
    file: "packages/store-pg/src/runs/moves/ApplyMoves.ts",
    before: "found?.run.execution.accountId === move.ref.accountId ? found : undefined",
    after: "found",
    test: inStore("pg", "isolation/IsolationSuite", "hides what is an account's from its neighbour", "stop")
  },
  {
    name: "viewer-role",
    idea: "a viewer may change whatever an admin may",
    file: "packages/http/src/authentication/MemberAccess.ts",
    before: "return covers(role, access) ? accountId.value",
    after: "return covers(role, role) ? accountId.value",
    test: {
      file: "packages/http/test/admin/MemberAccess.test.ts",
      title: "asks a viewer for more than that role wherever something changes, and nowhere else"
    }
  },
  {
    name: "cross-site-header",
    idea: "a form of another site can change something",
    file: "packages/http/src/authentication/CrossSite.ts",
    before: 'isOwn(headers, baseUrl) && headers[consoleHeader] === "1"',
    after: "isOwn(headers, baseUrl)",
    test: {
      file: "packages/http/test/admin/MemberAccess.test.ts",
      title: "lets a cookie change nothing for a page of another site"
    }
  },
  {
    name: "link-used-pg",
    idea: "several who use a link at once are all signed in",
    file: "packages/store-pg/src/people/PgPeopleStore.ts",
    before: "FROM console_links WHERE id = ${uuid(asked.id)} FOR UPDATE`",
    after: "FROM console_links WHERE id = ${uuid(asked.id)}`",
    test: inStore("pg", "people/PeopleStoreSuite", "lets one of many have a link who use it at once")
  },
  {
    name: "audit-transaction-keys-pg",
    idea: "a key is revoked though the entry that tells of it could not be kept",
    file: "packages/store-pg/src/keys/PgApiKeyStore.ts",
    before: "(changing) => sql.withTransaction(changing)",
    after: "(changing) => changing",
    test: inStore("pg", "audit/AuditSuite", "leaves no trace of ", "a revoked key whose entry cannot be kept")
  }
]
