/** Faults that would lose acknowledged work, or do it twice. */
import { type Fault, inStore } from "../Fault.ts"

export const once: ReadonlyArray<Fault> = [
  {
    name: "event-with-change-pg",
    idea: "an execution is stored without its callback",
    file: "packages/store-pg/src/functions/create_executions.sql",
    before: "IF p_event IS NOT NULL THEN",
    after: "IF p_event IS NULL THEN",
    test: inStore("pg", "deliveries/CallbackSuite", "stores with the change a delivery that is due at once")
  },
  {
    name: "event-of-move-pg",
    idea: "an execution moves without its callback",
    file: "packages/store-pg/src/functions/store_moves.sql",
    before: "IF p_event[i] IS NOT NULL",
    after: "IF p_event[i] IS NULL",
    test: inStore(
      "pg",
      "deliveries/CallbackSuite",
      "sends each type once, however often the work is queued and started"
    )
  },
  {
    name: "stop-finished",
    idea: "a stop takes back what has finished",
    file: "packages/core/src/runs/EndMoves.ts",
    before: "isTerminal(run.execution.status)\n    ? unchanged(run)",
    after: 'run.execution.status === "aborted"\n    ? unchanged(run)',
    test: inStore("memory", "executions/ExecutionStoreSuite", "keeps a finished execution as it is")
  },
  {
    name: "move-guard",
    idea: "what a process remembers is stored over what another has made of it",
    file: "packages/store-pg/src/functions/store_moves.sql",
    before: " AND l.revision = p_revision[i]",
    after: "",
    test: {
      file: "packages/store-pg/test/runs/moves/CachedRuns.test.ts",
      title: "is not begun once another process has stopped it"
    }
  },
  {
    name: "move-lease-seen",
    idea: "a sweep ends work whose runner was just heard of",
    file: "packages/store-pg/src/functions/store_moves.sql",
    before: "(p_lease_seen[i] IS NULL OR l.lease_expires_at = p_lease_seen[i])",
    after: "TRUE",
    test: {
      file: "packages/store-pg/test/runs/moves/CachedRuns.test.ts",
      title: "is not swept for the end of a lease that a heartbeat has just extended"
    }
  },
  {
    name: "move-rolled-back",
    idea: "a process remembers a claim that was rolled back",
    file: "packages/store-pg/src/runs/moves/MoveRuns.ts",
    before: "if (!isJoined) for",
    after: "for",
    test: {
      file: "packages/store-pg/test/runs/moves/CachedRuns.test.ts",
      title: "is not one of a claim that was rolled back"
    }
  },
  {
    name: "move-lost-connection",
    idea: "a move that was stored when its connection was lost is not known again",
    file: "packages/store-pg/src/engine/BatchRecovery.ts",
    before: "return Effect.delay(resend(again), pauseAfter(group.losses))",
    after: "return Effect.delay(send(again), pauseAfter(group.losses))",
    test: {
      file: "packages/store-pg/test/runs/moves/LostConnections.test.ts",
      title: "are told of a change whose answer was lost that they made it"
    }
  },
  {
    name: "group-late",
    idea: "what was not sent in time is stored all the same, though its caller was told otherwise",
    file: "packages/store-pg/src/engine/GroupCommit.ts",
    before: "        withdraw(member)\n        member.resume",
    after: "        forget(member)\n        member.resume",
    test: {
      file: "packages/store-pg/test/engine/GroupCommit.test.ts",
      title: "answers who waits too long, takes back what was not sent, and keeps the turns of its subject"
    }
  },
  {
    name: "idempotency-fingerprint-pg",
    idea: "another request under a used key is answered with what the first has made",
    file: "packages/store-pg/src/executions/create/IdempotencyKeys.ts",
    before: "if (!isRepeat(made.fingerprint, fingerprint))",
    after: 'if (made.fingerprint === "")',
    test: inStore(
      "pg",
      "executions/ExecutionCreateSuite",
      "refuses another request under a used key, naming what the key has made"
    )
  },
  {
    name: "handed-over-in-doubt",
    idea: "what was stored as begun while a connection was lost waits for the end of its lease",
    file: "packages/store-pg/src/runs/moves/StepOutcomes.ts",
    before: '? "doubted"',
    after: '? "freed"',
    test: {
      file: "packages/store-pg/test/deliveries/queue/HandOver.test.ts",
      title: "doubts what a move has stored whose answer was lost"
    }
  },
  {
    name: "returned-twice",
    idea: "what is being given back is also looked for as lost, and taken away after it was claimed again",
    file: "packages/webhook-dispatcher/src/LeasedDeliveries.ts",
    before: "return [...this.#held.keys(), ...this.#expected]",
    after: 'return [...this.#held].flatMap(([id, { stage }]) => (stage === "returning" ? [] : [id]))',
    test: {
      file: "packages/webhook-dispatcher/test/receivers/LinesOrder.test.ts",
      title: "is kept however claims, events that are handed over, results and returns follow each other"
    }
  },
  {
    name: "upload-synced",
    idea: "a power cut takes the bytes of a file that was acknowledged",
    file: "packages/artifacts/src/disk/Upload.ts",
    before: "      await file.sync()\n",
    after: "",
    test: {
      file: "test/durableFiles.test.ts",
      title: "has an upload and its place on the disk before it is acknowledged"
    }
  }
]
