/** Faults that would let somebody in, or let something out. */
import type { Fault, NamedTest } from "../Fault.ts"

const signature = "packages/core/src/signing/WebhookSignature.ts"
const apiKey = "packages/core/src/signing/ApiKey.ts"
const connector = "packages/guarded-http/src/GuardedConnector.ts"

const inCore = (file: string, title: string): NamedTest => ({ file: `packages/core/test/${file}`, title })

const hides = "hides what is an account's from its neighbour"
const ofStore = (store: "memory" | "pg", ending: string): NamedTest => ({
  file:
    store === "memory"
      ? "packages/store-memory/test/MemoryStore.test.ts"
      : "packages/store-pg/test/PgStore.test.ts",
  suite: "packages/store-testing/src/isolation/IsolationSuite.ts",
  title: hides,
  ending
})

export const secrecy: ReadonlyArray<Fault> = [
  {
    name: "stored-rows-hidden",
    idea: "a store that shows the suites nothing of what it keeps passes them",
    file: "packages/store-memory/test/StoredTables.ts",
    before: "Effect.map(MemoryDatabase",
    after: "Effect.as([])(MemoryDatabase",
    test: { ...ofStore("memory", ": stop"), title: "shows by `storedRows` what the account itself changes" }
  },
  {
    name: "signature-unchecked",
    idea: "a receiver believes every callback that has a signature at all",
    file: signature,
    before: "if (!secrets.some(isSigned))",
    after: "if (secrets.length === 0)",
    test: inCore("signing/WebhookSignature.test.ts", ": is refused for ")
  },
  {
    name: "signature-timestamp",
    idea: "the timestamp is not signed, so that an old callback can be sent again as a new one",
    file: signature,
    before: "hmac(keys.whole, body + timestamp)",
    after: "hmac(keys.whole, body)",
    test: inCore("signing/WebhookSignature.test.ts", ": are signed")
  },
  {
    name: "signature-age",
    idea: "a callback of any age is believed",
    file: signature,
    before: "if (Math.abs(ageSeconds) > toleranceSeconds)",
    after: "if (-ageSeconds > toleranceSeconds)",
    test: inCore("signing/WebhookSignature.test.ts", "accepts a clock that is 300 seconds off, and no more")
  },
  {
    name: "compare-in-time",
    idea: "how long a key is compared tells how much of it is right",
    file: apiKey,
    before: "isEqualInConstantTime(hash(options.pepper, options.key), options.hash)",
    after: "hash(options.pepper, options.key) === options.hash",
    test: inCore("signing/ConstantTime.test.ts", "compares a key with its hash")
  },
  {
    name: "pepper",
    idea: "keys are hashed without the pepper of the service",
    file: apiKey,
    before: 'createHmac("sha256", pepper)',
    after: 'createHmac("sha256", "")',
    test: inCore("signing/ApiKey.test.ts", "hashes to the same text for ever")
  },
  {
    name: "sealed-for",
    idea: "a sealed secret opens in the place of another",
    file: "packages/core/src/signing/SecretBox.ts",
    before: '["v1", id, row.purpose, row.id]',
    after: '["v1", id, row.purpose]',
    test: inCore("signing/SecretBox.test.ts", "does not open for another row or another purpose")
  },
  {
    name: "runner-key-revoked",
    idea: "a revoked runner key still opens",
    file: "packages/core/src/usecases/Authentication.ts",
    before: "            record.revokedAt === null &&\n",
    after: "",
    test: inCore("usecases/Authentication.test.ts", "finds the record of a runner key, until it is revoked")
  },
  {
    name: "grant-purpose",
    idea: "a URL to download a file can be used to replace it",
    file: "packages/core/src/signing/SignedToken.ts",
    before: ".update(`${purpose}\\u0000${content}`)",
    after: ".update(content)",
    test: inCore("signing/SignedToken.test.ts", "is worthless for another purpose and under another key")
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
    name: "log-key",
    idea: "the access log holds whole keys",
    file: "packages/http/src/pipeline/AccessLog.ts",
    before: "{ key_prefix: key.prefix }",
    after: "{ key_prefix: authorization }",
    test: {
      file: "packages/http/test/pipeline/AccessLog.test.ts",
      title: "has a line for each request, without its query and its secret"
    }
  },
  {
    name: "ssrf-metadata",
    idea: "callbacks reach the metadata service of a cloud",
    file: "packages/core/src/domain/target/AddressPolicy.ts",
    before: '  "169.254.0.0/16",\n',
    after: "",
    test: inCore("domain/target/AddressPolicy.test.ts", "from its first address to its last")
  },
  {
    name: "ssrf-connected",
    idea: "a callback is sent to whoever is at the other end, though that was not who was judged",
    file: connector,
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
    test: {
      file: "packages/artifacts/test/disk/DiskArtifacts.test.ts",
      title: "as a defect of its caller"
    }
  },
  {
    name: "account-of-run",
    idea: "an account reads the executions of another",
    file: "packages/store-memory/src/moves/Moves.ts",
    before: "run?.execution.accountId === accountId",
    after: "run !== undefined",
    test: ofStore("memory", "get an execution")
  },
  {
    name: "account-of-run-pg",
    idea: "an account reads the executions of another",
    file: "packages/store-pg/src/moves/PgRuns.ts",
    before: "run?.execution.accountId === accountId ? run :",
    after: "run !== undefined ? run :",
    test: ofStore("pg", "get an execution")
  },
  {
    name: "account-of-move-pg",
    idea: "an account moves the executions of another",
    file: "packages/store-pg/src/moves/ApplyMoves.ts",
    before: "found?.run.execution.accountId === move.ref.accountId ? found : undefined",
    after: "found",
    test: ofStore("pg", "stop")
  },
  {
    name: "compressed-what-callers-sent",
    idea: "the length of a compressed answer tells what is beside a guess",
    file: "packages/http/src/pipeline/Compression.ts",
    before: " || !Context.get(call.endpoint.annotations, Compressible)) return answer",
    after: ") return answer",
    test: {
      file: "packages/http/test/pipeline/Compression.test.ts",
      title: "is sent as it is when it has what callers sent, or is small"
    }
  },
  {
    name: "shaken-check",
    idea: "the file that users run lacks a check that the sources have",
    file: "apps/server/bundle.mjs",
    before: "treeshake: false",
    after: "treeshake: true",
    test: {
      file: "apps/server/test/Build.test.ts",
      title: "keeps every check, also one that has no effect but to throw"
    }
  }
]
