/** Faults by which what is handed over to a dispatcher would be sent too soon, twice, or never. */
import type { Fault, NamedTest } from "../Fault.ts"

const inSource = (file: string): string => `packages/store-pg/src/${file}.ts`

const handingOver = (title: string): NamedTest => ({
  file: "packages/store-pg/test/deliveries/queue/HandOver.test.ts",
  title
})

const bySending = (title: string): NamedTest => ({
  file: "packages/webhook-dispatcher/test/HandedOver.test.ts",
  title
})

const inMemory = (title: string): NamedTest => ({
  file: "packages/store-memory/test/MemoryStore.test.ts",
  suite: "packages/store-testing/src/deliveries/HandOverSuite.ts",
  title
})

const inPostgres = (title: string): NamedTest => ({
  ...inMemory(title),
  file: "packages/store-pg/test/PgStore.test.ts"
})

export const handedOver: ReadonlyArray<Fault> = [
  {
    name: "handed-over-in-order",
    idea: "an event is handed over while an earlier one of its execution is pending",
    file: "packages/core/src/domain/execution/Outbox.ts",
    before: "return !hasEarlier && ",
    after: "return (!hasEarlier || hasEarlier) && ",
    test: inMemory("keeps an event behind an earlier one that somebody else holds")
  },
  {
    name: "handed-over-in-order-pg",
    idea: "an event is handed over while an earlier one of its execution is pending",
    file: inSource("deliveries/queue/OutgoingEvents"),
    before: "AND d.state = 'pending' AND d.round = 1",
    after: "AND FALSE",
    test: inPostgres("keeps an event behind an earlier one that somebody else holds")
  },
  {
    name: "handed-over-to-probed",
    idea: "events are handed over to a receiver that is being probed",
    file: inSource("deliveries/queue/OutgoingEvents"),
    before: "(r.openings > 0 OR r.held_until",
    after: "(r.held_until",
    test: inPostgres(
      "hands over nothing while the receiver is left alone, or probed, and again when it is back"
    )
  },
  {
    name: "handed-over-to-paused",
    idea: "events are handed over to a receiver that asked for a pause",
    file: inSource("deliveries/queue/OutgoingEvents"),
    before: " OR r.held_until > n.${at})",
    after: ")",
    test: inPostgres("hands over nothing to a receiver that asked for a pause until that is over")
  },
  {
    name: "handed-over-bytes",
    idea: "the body that is handed over has bytes that no later attempt has",
    file: inSource("deliveries/queue/HandOver"),
    before: "execution.errorMessage?.toWellFormed() ?? null",
    after: "execution.errorMessage",
    test: inPostgres("hands over of every event the bytes that are read of it, whatever it tells")
  },
  {
    name: "handed-over-in-doubt",
    idea: "what was stored as begun while a connection was lost waits for the end of its lease",
    file: inSource("moves/StepOutcomes"),
    before: '? "doubted"',
    after: '? "freed"',
    test: handingOver("doubts what a move has stored whose answer was lost")
  },
  {
    name: "handed-over-places",
    idea: "a place is kept for ever for what was not stored",
    file: inSource("deliveries/queue/HandOver"),
    before: 'if (ending === "freed") kept.free()',
    after: 'if (ending === "freed") return',
    test: inPostgres("keeps an event behind an earlier one that somebody else holds")
  },
  {
    name: "handed-over-signal",
    idea: "dispatchers look for what one of them has already",
    file: "packages/core/src/runtime/ChangeSignals.ts",
    before: "if (event !== null && !isHandedOver)",
    after: "if (event !== null)",
    test: {
      ...inMemory("wakes nobody for what is handed over"),
      suite: "packages/store-testing/src/deliveries/HandedOverSuite.ts"
    }
  },
  {
    name: "handed-over-while-looking",
    idea: "what is handed over while a lost answer is looked into is taken for lost, and sent twice",
    file: "packages/webhook-dispatcher/src/Inlet.ts",
    before: "lostClaims.isSearching || ",
    after: "",
    test: bySending("is not handed over while a lost answer is looked into, which would take it back")
  },
  {
    name: "handed-over-too-early",
    idea: "a dispatcher sends what it is handed over before it may send anything",
    file: "packages/webhook-dispatcher/src/WebhookDispatcher.ts",
    before: "Effect.andThen(startsAfter, store.handOver(inlet))",
    after: "Effect.andThen(store.handOver(inlet), startsAfter)",
    test: bySending("waits for what the dispatcher has to wait for itself")
  }
]
