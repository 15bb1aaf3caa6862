/** Faults by which people would be told of their deliveries what is not so, or would send again what they did not mean to. */
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

const grouped = "groups the dead by receiver and cause, and nobody else's"

export const redelivering: ReadonlyArray<Fault> = [
  {
    name: "replay-last",
    idea: "events that a later one follows are replayed when only the last were meant",
    file: "packages/store-memory/src/replays/MemoryReplayStore.ts",
    before: "matches(delivery, filter) && (!filter.lastOnly || deliveries.isLast(delivery))",
    after: "matches(delivery, filter)",
    test: inMemory("replays/ReplayChoiceSuite", "replays of each execution only the event of its last change")
  },
  {
    name: "replay-last-pg",
    idea: "an event is replayed as the last one though a later one has arrived",
    file: "packages/store-pg/src/replays/ReplayFilters.ts",
    before: "l.execution_id = d.execution_id\n",
    after: "l.execution_id = d.execution_id AND l.state = 'dead'\n",
    test: inPostgres(
      "replays/ReplayChoiceSuite",
      "replays no event that a later one of its execution follows"
    )
  },
  {
    name: "replay-outcome-of-job",
    idea: "what becomes of a later round counts for the job that replayed the delivery before",
    file: "packages/store-pg/src/deliveries/steps/Consequences.ts",
    before: "replay_id = n.replay_id",
    after: "replay_id = coalesce(n.replay_id, d.replay_id)",
    test: inPostgres(
      "replays/ReplayOutcomeSuite",
      "are those of the job that started the round, and of no other"
    )
  },
  {
    name: "replay-outcome-all",
    idea: "of what dispatchers count for a job, only the latest is kept",
    file: "packages/store-pg/src/deliveries/steps/Consequences.ts",
    before: "SET delivered = o.delivered + excluded.delivered, failed",
    after: "SET delivered = excluded.delivered, failed",
    test: inPostgres("replays/ReplayOutcomeSuite", "are all counted, though many dispatchers settle at once")
  },
  {
    name: "replay-outcome-expired",
    idea: "what expires counts neither as delivered nor as failed",
    file: "packages/store-memory/src/deliveries/queue/ApplyStep.ts",
    before: "  if (job !== undefined) replays.set(",
    after: "  if (job !== undefined && before.attempts > 0) replays.set(",
    test: inMemory("replays/ReplayOutcomeSuite", "count as failed what expires before anybody sends it")
  },
  {
    name: "try-order",
    idea: "an event that is tried goes before an earlier one of its execution",
    file: "packages/core/src/domain/delivery/TryNow.ts",
    before: "if (hasEarlier) ",
    after: "if (!hasEarlier) ",
    test: inMemory("deliveries/DeliveryTrySuite", "refuses an event while it is the turn of an earlier one")
  },
  {
    name: "try-sending",
    idea: "a delivery that is being sent is sent once more beside it",
    file: "packages/core/src/domain/delivery/TryNow.ts",
    before: "isAttempted && DateTime.isGreaterThan(delivery.nextAttemptAt, at) ?",
    after: "isAttempted && DateTime.isLessThan(delivery.nextAttemptAt, at) ?",
    test: inPostgres("deliveries/DeliveryTrySuite", "refuses what is being sent, and what is settled")
  },
  {
    name: "curl-secret",
    idea: "a copied request is signed with the secret before the active one",
    file: "packages/core/src/domain/keys/SigningSecretRecord.ts",
    before: "[...Array.sort(begun, newestFirst), ...staged]",
    after: "[...Array.sort(begun, Order.flip(newestFirst)), ...staged]",
    test: {
      file: "packages/http/test/admin/Trying.test.ts",
      title: "is signed with the old secret until the new one of a staged rotation takes over"
    }
  },
  {
    name: "curl-quotes",
    idea: "the body of an event is run by the shell that a request is pasted into",
    file: "packages/core/src/domain/delivery/CurlCommand.ts",
    before: "text.replaceAll(\"'\", String.raw`'\\''`)",
    after: "text",
    test: {
      file: "packages/core/test/domain/delivery/CurlCommand.test.ts",
      title: "sends exactly the body, whatever it holds"
    }
  },
  {
    name: "cause-of-code",
    idea: "a certificate that has ended is told as one that nobody knows",
    file: "packages/core/src/domain/delivery/AttemptCause.ts",
    before: 'CERT_HAS_EXPIRED: "tls_expired"',
    after: 'CERT_HAS_EXPIRED: "tls_untrusted"',
    test: { file: "packages/core/test/domain/delivery/AttemptCause.test.ts", title: "that ended with " }
  },
  {
    name: "cause-of-latest",
    idea: "a delivery says why its first attempt failed, and not its latest",
    file: "packages/store-pg/src/deliveries/steps/Consequences.ts",
    before: "last_cause = n.last_cause,",
    after: "last_cause = coalesce(d.last_cause, n.last_cause),",
    test: inPostgres(
      "deliveries/DeliveryCauseSuite",
      "keeps why an attempt failed, with the attempt and its delivery"
    )
  },
  {
    name: "dead-cause",
    idea: "what a receiver refused for several reasons is told as if for one",
    file: "packages/store-memory/src/deliveries/history/DeadLetters.ts",
    before: "`${origin} ${cause}`",
    after: "`${origin} ${cause === null}`",
    test: inMemory("deliveries/DeadLetterSuite", grouped)
  },
  {
    name: "dead-cause-pg",
    idea: "of each cause, what the receiver refused for all of them is counted",
    file: "packages/store-pg/src/deliveries/history/DeadLetters.ts",
    before: "x.origin = g.origin AND x.cause = g.cause`",
    after: "x.origin = g.origin`",
    test: inPostgres("deliveries/DeadLetterSuite", grouped)
  },
  {
    name: "try-breaker",
    idea: "a delivery that is tried takes the probe of its receiver with it",
    file: "packages/core/src/domain/delivery/DeliverySteps.ts",
    before: "receiver: isProbe && !isTried",
    after: "receiver: isProbe",
    test: inPostgres("deliveries/DeliveryTrySuite", "leaves the probe of its receiver to what waits for it")
  },
  {
    name: "replay-again",
    idea: "a job replays what it has replayed itself, for as long as that fails",
    file: "packages/core/src/domain/delivery/ReplayJob.ts",
    before: "  delivery.settledAt !== null &&\n  DateTime.isLessThanOrEqualTo(delivery.settledAt, createdAt)",
    after: "  delivery.settledAt !== null &&\n  DateTime.isGreaterThan(createdAt, DateTime.makeUnsafe(0))",
    test: inMemory("replays/ReplayStoreSuite", "leaves what came to be dead after the job began")
  },
  {
    name: "dead-more",
    idea: "more dead than are counted are told as if they were all",
    file: "packages/store-pg/src/deliveries/history/DeadLetters.ts",
    before: "bool_or(latest.number > ${integer(deadLettersCounted)})",
    after: "bool_or(latest.number > 1 + ${integer(deadLettersCounted)})",
    test: inPostgres(
      "deliveries/DeadLetterSuite",
      "counts so many dead of a group at most, and says that there are more"
    )
  }
]
