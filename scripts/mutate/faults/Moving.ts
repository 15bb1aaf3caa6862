/** Faults by which moves of executions would be lost, happen twice, or wait for each other. */
import type { Fault, NamedTest } from "../Fault.ts"

const inSource = (file: string): string => `packages/store-pg/src/${file}.ts`

const testOf =
  (name: string) =>
  (title: string): NamedTest => ({
    file: `packages/store-pg/test/${name}.test.ts`,
    title
  })

const remembered = testOf("moves/CachedRuns")
const groups = testOf("moves/Groups")
const hostMoves = testOf("moves/HostMoves")
const groupCommit = testOf("batches/GroupCommit")

const ofStores = (suite: string, title: string): NamedTest => ({
  file: "packages/store-pg/test/PgStore.test.ts",
  suite: `packages/store-testing/src/${suite}.ts`,
  title
})

export const moving: ReadonlyArray<Fault> = [
  {
    name: "event-of-move-pg",
    idea: "an execution moves without its callback",
    file: inSource("deliveries/queue/OutgoingEvents"),
    before: "WHERE n.event IS NOT NULL",
    after: "WHERE n.event IS NULL",
    test: ofStores(
      "deliveries/CallbackSuite",
      "sends each type once, however often the work is queued and started"
    )
  },
  {
    name: "stop-finished-pg",
    idea: "a stop takes back what has finished",
    file: "packages/core/src/domain/run/EndMoves.ts",
    before: "isTerminal(run.execution.status)\n    ? unchanged(run)",
    after: 'run.execution.status === "aborted"\n    ? unchanged(run)',
    test: ofStores("executions/ExecutionStoreSuite", "keeps a finished execution as it is")
  },
  {
    name: "move-guard",
    idea: "what a process remembers is stored over what another has made of it",
    file: inSource("moves/StoreSteps"),
    before: " AND e.revision = a.revision",
    after: "",
    test: remembered("is not begun once another process has stopped it")
  },
  {
    name: "move-refused-from-memory",
    idea: "a move is refused for what a process remembers, though that is over",
    file: inSource("moves/ApplyMoves"),
    before: "found?.run.execution.accountId === move.ref.accountId ? found : undefined",
    after: "remembered.get(move.ref) ?? found",
    test: remembered("refuses nothing that another process has made possible")
  },
  {
    name: "move-keeps-lease",
    idea: "a move takes back what a heartbeat has added to the lease",
    file: inSource("moves/RunColumns"),
    before: "CASE WHEN n.keeps_lease THEN e.lease_expires_at ELSE n.lease_expires_at END",
    after: "n.lease_expires_at",
    test: remembered("keeps the lease that a heartbeat has extended at another process")
  },
  {
    name: "move-lease-seen",
    idea: "a sweep ends work whose runner was just heard of",
    file: inSource("moves/StoreSteps"),
    before: "(a.lease_seen IS NULL OR e.lease_expires_at = a.lease_seen)",
    after: "TRUE",
    test: remembered("is not swept for the end of a lease that a heartbeat has just extended")
  },
  {
    name: "move-rolled-back",
    idea: "a process remembers a claim that was rolled back",
    file: inSource("moves/PgRuns"),
    before: "if (!isJoined) for",
    after: "for",
    test: remembered("is not one of a claim that was rolled back")
  },
  {
    name: "move-foreign",
    idea: "an account moves what a process remembers of another",
    file: inSource("moves/CachedRuns"),
    before: "return stored?.run.execution.accountId === accountId ? stored : undefined",
    after: "return stored",
    test: remembered("is another account's to nobody else")
  },
  {
    name: "move-in-turn",
    idea: "two moves of one execution travel together, and both are told that they made it",
    file: inSource("moves/PgRuns"),
    before: "subjectOf: ({ ref }) => ref.id",
    after: "subjectOf: () => null",
    test: groups("of one execution end it once, and tell the others that it has ended")
  },
  {
    name: "move-locked",
    idea: "a row that somebody has locked holds up whoever travels with it",
    file: inSource("moves/StoreSteps"),
    before: 'FOR UPDATE${locked === "skip" ? " SKIP LOCKED" : ""}',
    after: "FOR UPDATE",
    test: groups("wait for no row that somebody else has locked: its own caller does")
  },
  {
    name: "move-refused-value",
    idea: "a value that the database refuses fails whoever travels with it",
    file: inSource("batches/BatchRecovery"),
    before: "return sendHalves(group)",
    after: "return Effect.succeed(failed(group, fault))",
    test: groups("fail only him whose value the database refuses")
  },
  {
    name: "move-unreadable",
    idea: "a row that nobody can read fails whoever travels with it",
    file: inSource("moves/ApplyMoves"),
    before: "() => Effect.undefined",
    after: "(fault) => Effect.fail(fault)",
    test: groups("fail only him whose row nobody can read")
  },
  {
    name: "move-leaves-queue",
    idea: "what was stopped while a claim moved it in its queue stays there",
    file: inSource("moves/Consequences"),
    before: "(EXISTS (SELECT FROM left_ready) OR EXISTS (SELECT FROM left_delayed))",
    after: "TRUE",
    test: groups("find what waits in its queue also when a claim is just moving it there")
  },
  {
    name: "move-gives-way",
    idea: "a sweep waits for what a caller is at",
    file: inSource("moves/ApplyMoves"),
    before: ' else if (move.urgency === "swept") answer(move, Exit.succeed(undefined))\n',
    after: "\n",
    test: groups("give way to others when they are only swept")
  },
  {
    name: "move-lost-connection",
    idea: "a move that was stored when its connection was lost is not known again",
    file: inSource("batches/BatchRecovery"),
    before: "return Effect.delay(resend(again), pauseAfter(group.losses))",
    after: "return Effect.delay(send(again), pauseAfter(group.losses))",
    test: testOf("moves/LostConnections")("are told of a change whose answer was lost that they made it")
  },
  {
    name: "move-guard-walk",
    idea: "what a process remembers is stored over what another has made of it, whatever they do",
    file: inSource("moves/StoreSteps"),
    before: " AND e.revision = a.revision",
    after: "",
    test: testOf("Concurrency")(
      "keeps every row in step with every other while two processes move the same executions"
    )
  },
  {
    name: "move-host",
    idea: "a move in a transaction of the host is stored though that is rolled back",
    file: inSource("moves/PgRuns"),
    before: "yield* host.within(join(bucket, move))",
    after: "yield* group.submit(bucket, move)",
    test: hostMoves("leaves them as they were when it is rolled back, also to the moves that come next")
  },
  {
    name: "move-host-usable",
    idea: "a value that the database refuses ends the transaction of the host",
    file: inSource("batches/InHostTransaction"),
    before: "yield* Effect.onError(work, () => Effect.ignore(sql`ROLLBACK TO SAVEPOINT runhook`))",
    after: "yield* work",
    test: hostMoves("may go on after a move that is refused or that the database cannot store")
  },
  {
    name: "move-host-told",
    idea: "nobody learns of a move in a transaction of the host",
    file: inSource("moves/PgRuns"),
    before: "if (moved?.changed === true) yield* host.notify(moved)",
    after: "",
    test: hostMoves("tells of its moves when it commits, and of none when it is rolled back")
  },
  {
    name: "group-turns",
    idea: "an account that sends much keeps the others of its bucket waiting",
    file: inSource("batches/GroupCommit"),
    before: "turns.add(member.account, member)",
    after: 'turns.add("", member)',
    test: groupCommit("lets accounts take turns, however many one of them sends")
  },
  {
    name: "group-in-flight",
    idea: "one bucket takes all that may be on its way",
    file: inSource("batches/GroupCommit"),
    before: "if (going >= inFlightMax) continue",
    after: "if (going >= inFlightTotal) continue",
    test: groupCommit("sends one alone at once, and who comes meanwhile together")
  },
  {
    name: "group-in-flight-total",
    idea: "groups take all connections",
    file: inSource("batches/GroupCommit"),
    before: "if (total >= inFlightTotal) return",
    after: "if (total >= inFlightTotal * 2) return",
    test: groupCommit("has at most two groups of a bucket on their way, and eight in all")
  },
  {
    name: "group-subject",
    idea: "what is about the same travels together",
    file: inSource("batches/GroupCommit"),
    before: "if (line !== undefined) line.push(member)\n    else {",
    after: "{",
    test: groupCommit("does what has the same subject in turn, never together")
  },
  {
    name: "group-left",
    idea: "what waits for its turn is stored though its caller has left",
    file: inSource("batches/GroupCommit"),
    before: "    line?.splice(place, 1)\n",
    after: "",
    test: groupCommit("keeps the turns of a subject when a caller leaves, and takes back what was not sent")
  },
  {
    name: "group-taken-back",
    idea: "what waits in line is stored though its caller has left",
    file: inSource("batches/GroupCommit"),
    before: "if (waiting.get(member.bucket)?.remove(member.account, member) === true) return",
    after: "if (waiting.has(member.bucket)) return",
    test: groupCommit("takes back what waits in the line of its account when its caller leaves")
  },
  {
    name: "group-late",
    idea: "what was not sent in time is stored all the same, though its caller was told otherwise",
    file: inSource("batches/GroupCommit"),
    before: "        withdraw(member)\n        member.resume",
    after: "        forget(member)\n        member.resume",
    test: groupCommit(
      "answers who waits too long, takes back what was not sent, and keeps the turns of its subject"
    )
  }
]
