/** Faults that would break what callers are promised of their executions. */
import type { Fault, NamedTest } from "../Fault.ts"

const inMemory = (suite: string, title: string): NamedTest => ({
  file: "packages/store-memory/test/MemoryStore.test.ts",
  suite: `packages/store-testing/src/${suite}.ts`,
  title
})
const inPostgres = (suite: string, title: string): NamedTest => ({
  ...inMemory(suite, title),
  file: "packages/store-pg/test/PgStore.test.ts"
})

export const promises: ReadonlyArray<Fault> = [
  {
    name: "idempotency-fingerprint",
    idea: "another request under a used key is answered with what the first has made",
    file: "packages/store-memory/src/executions/IdempotencyKeys.ts",
    before: "return isRepeat(row.fingerprint, use.fingerprint)\n",
    after: 'return row.fingerprint !== ""\n',
    test: inMemory(
      "executions/ExecutionCreateSuite",
      "refuses another request under a used key, naming what the key has made"
    )
  },
  {
    name: "idempotency-fingerprint-pg",
    idea: "another request under a used key is answered with what the first has made",
    file: "packages/store-pg/src/executions/create/IdempotencyKeys.ts",
    before: "if (!isRepeat(made.fingerprint, fingerprint))",
    after: 'if (made.fingerprint === "")',
    test: inPostgres(
      "executions/ExecutionCreateSuite",
      "refuses another request under a used key, naming what the key has made"
    )
  },
  {
    name: "idempotency-of-key-pg",
    idea: "the idempotency keys of one API key hide those of another",
    file: "packages/store-pg/src/executions/create/InsertExecutions.ts",
    before: "AND k.api_key_id = a.api_key_id AND k.key = a.idempotency_key",
    after: "AND k.key = a.idempotency_key",
    test: inPostgres(
      "executions/ExecutionCreateSuite",
      "keeps the keys of one API key apart from those of another"
    )
  },
  {
    name: "idempotency-time-pg",
    idea: "an idempotency key counts after its time",
    file: "packages/store-pg/src/executions/create/InsertExecutions.ts",
    before: "\n      AND k.expires_at > a.now_at",
    after: "",
    test: inPostgres("executions/ExecutionCreateSuite", "forgets a key the moment its time is over")
  },
  {
    name: "limit-of-live-pg",
    idea: "an account may have one unfinished execution more than it may have",
    file: "packages/store-pg/src/executions/create/InsertExecutions.ts",
    before: "> f.account_max_live",
    after: "> f.account_max_live + 1",
    test: inPostgres(
      "executions/ExecutionCreateSuite",
      "accepts as many at once as the account may have, and no more"
    )
  },
  {
    name: "event-with-change-pg",
    idea: "an execution is stored without its callback",
    file: "packages/store-pg/src/executions/create/InsertExecutions.ts",
    before: "begun_until FROM made)",
    after: "begun_until FROM made WHERE event IS NULL)",
    test: inPostgres("deliveries/CallbackSuite", "stores with the change a delivery that is due at once")
  },
  {
    name: "event-of-move",
    idea: "an execution moves without its callback",
    file: "packages/store-memory/src/moves/Moves.ts",
    before: "if (delivery === null) return",
    after: "if (delivery !== null) return",
    test: inMemory(
      "deliveries/CallbackSuite",
      "sends each type once, however often the work is queued and started"
    )
  },
  {
    name: "stop-finished",
    idea: "a stop takes back what has finished",
    file: "packages/core/src/domain/run/EndMoves.ts",
    before: "isTerminal(run.execution.status)\n    ? unchanged(run)",
    after: 'run.execution.status === "aborted"\n    ? unchanged(run)',
    test: inMemory("executions/ExecutionStoreSuite", "keeps a finished execution as it is")
  },
  {
    name: "lock-of-move-pg",
    idea: "a sweep waits for whoever writes at the moment, and others for it",
    file: "packages/store-pg/src/artifacts/PruneUploads.ts",
    before: "        FOR UPDATE SKIP LOCKED\n      ),",
    after: "        FOR UPDATE\n      ),",
    test: {
      file: "packages/store-pg/test/ArtifactConcurrency.test.ts",
      title: "leaves what somebody writes at this moment to the next look, and does not wait"
    }
  },
  {
    name: "lease-extended",
    idea: "a runner that is heard of loses its work all the same",
    file: "packages/core/src/domain/run/LeaseMoves.ts",
    before: "? { ...held, expiresAt } : held",
    after: "? { ...held } : held",
    test: inMemory("runs/BeatSuite", "keeps the session present, and extends its started work")
  },
  {
    name: "session-silent",
    idea: "a runner that polls all the time counts as gone",
    file: "packages/store-pg/src/runs/Heartbeats.ts",
    before: "last_seen_at <= ${before(() => seenEvery)} OR",
    after: "FALSE OR",
    test: inPostgres(
      "runs/BeatSuite",
      "notes when a session was heard of every ten seconds, and that it takes no more work at once"
    )
  },
  {
    name: "beat-waits",
    idea: "a sign of life waits for whoever moves one of the runs",
    file: "packages/store-pg/src/moves/ExtendLeases.ts",
    before: "FOR UPDATE SKIP LOCKED",
    after: "FOR UPDATE",
    test: {
      file: "packages/store-pg/test/runs/Heartbeats.test.ts",
      title: "waits for nobody who moves a run, and leaves its lease to the next sign of life"
    }
  },
  {
    name: "known-work-account",
    idea: "the results of one account are held to the promises of another's work",
    file: "packages/core/src/runtime/KnownWork.ts",
    before: "found?.accountId === accountId ? found : undefined",
    after: "found",
    test: {
      file: "packages/core/test/runtime/KnownWork.test.ts",
      title: "of another account is known to nobody"
    }
  },
  {
    name: "page-cursor",
    idea: "a page begins with what the page before ended with",
    file: "packages/store-pg/src/sql/Paging.ts",
    before: "< ${uuid(after)}`",
    after: "<= ${uuid(after)}`",
    test: inPostgres(
      "executions/ExecutionListSuite",
      "shows each execution once on a walk through the pages, whatever happens to it meanwhile"
    )
  },
  {
    name: "page-limit",
    idea: "a list never says that it goes on",
    file: "packages/store-pg/src/sql/Paging.ts",
    before: "hasMore: rows.length > limit\n",
    after: "hasMore: rows.length > limit + 1\n",
    test: inPostgres(
      "deliveries/DeliveryHistorySuite",
      "lists the deliveries of an account newest first, whatever the page size"
    )
  },
  {
    name: "queued-page",
    idea: "a page of what is queued ends early where something runs",
    file: "packages/store-pg/src/executions/list/FoundRequests.ts",
    before: 'const isMixed = statuses.includes("queued") && !statuses.includes("running")',
    after: "const isMixed = false",
    test: inPostgres(
      "executions/StatusListSuite",
      "shows on full pages what is in one of the statuses, of a task, of an agent and of both"
    )
  },
  {
    name: "artifact-quota",
    idea: "the bytes of an account are not counted",
    file: "packages/store-memory/src/artifacts/MemoryArtifactStore.ts",
    before: "used + artifact.sizeBytes > quotaBytes",
    after: "artifact.sizeBytes > quotaBytes",
    test: inMemory(
      "artifacts/ArtifactQuotaSuite",
      "registers artifacts up to the quota of their account, counting what was announced"
    )
  },
  {
    name: "artifact-quota-pg",
    idea: "the bytes of an account are not counted",
    file: "packages/store-pg/src/artifacts/PgArtifactStore.ts",
    before: "usedBytes <= quotaBytes",
    after: "noted.sizeBytes <= quotaBytes",
    test: inPostgres(
      "artifacts/ArtifactQuotaSuite",
      "registers artifacts up to the quota of their account, counting what was announced"
    )
  },
  {
    name: "rate-limit",
    idea: "a key may ask without an end",
    file: "packages/http/src/limits/TokenBuckets.ts",
    before: "const isAllowed = available >= 1",
    after: "const isAllowed = available >= -1e9",
    test: {
      file: "packages/http/test/limits/TokenBuckets.test.ts",
      title: "allows a burst, then refuses and says when to come back"
    }
  },
  {
    name: "draining",
    idea: "balancers send requests to a service that stops",
    file: "packages/core/src/runtime/Draining.ts",
    before: "Deferred.succeed(begun, undefined)",
    after: "Effect.void",
    test: {
      file: "packages/http/test/probes/Health.test.ts",
      title: "is alive but not ready while the service stops"
    }
  },
  {
    name: "wait-gives-up",
    idea: "a wait of the SDK ends with an error when the service restarts",
    file: "packages/sdk/src/promise/WaitFor.ts",
    before: "...unlimited, ",
    after: "",
    test: {
      file: "packages/sdk/test/promise/Waits.test.ts",
      title: "goes on reading after what may pass, for as long as the service asks"
    }
  },
  {
    name: "handler-failure-untold",
    idea: "what a handler throws is told to nobody who looks after the runner",
    file: "packages/sdk/src/runner/Attempt.ts",
    before: "this.#failure = { cause }",
    after: "this.#failure = undefined",
    test: {
      file: "packages/sdk/test/runner/Runner.test.ts",
      title: "tells its author what a handler threw, where, and whether it is tried again"
    }
  }
]
