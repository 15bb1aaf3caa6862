/** Faults that would let an event overtake another of its execution. */
import { type Fault, inStore } from "../Fault.ts"

export const order: ReadonlyArray<Fault> = [
  {
    name: "order-by-change-pg",
    idea: "the events of an execution go by the clocks of those that made them",
    file: "packages/core/src/deliveries/steps/DeliverySteps.ts",
    before: "byRevision(each.delivery, delivery) < 0",
    after: "each.delivery.id < delivery.id",
    test: inStore(
      "pg",
      "deliveries/DeliveryOrderSuite",
      "goes by the changes that events tell of, however far the clocks of their processes are apart"
    )
  },
  {
    name: "order-guessed",
    idea: "an event is sent although this process does not know the outcome of the one before it",
    file: "packages/webhook-dispatcher/src/LeasedDeliveries.ts",
    before: '? "waits" : "broken"',
    after: '? "waits" : "free"',
    test: {
      file: "packages/webhook-dispatcher/test/LeasedAhead.test.ts",
      title: "goes back unsent when nobody knows what became of the one before"
    }
  },
  {
    name: "order-in-lines",
    idea: "an event is sent while the one before it is on its way",
    file: "packages/webhook-dispatcher/src/receivers/Lines.ts",
    before: 'leased.standingBehind(inFlight.behind) === "free"',
    after: 'leased.standingBehind(inFlight.behind) !== "broken"',
    test: {
      file: "packages/webhook-dispatcher/test/LeasedAhead.test.ts",
      title: "is sent after the event that it is behind is stored as settled, and not before"
    }
  },
  {
    name: "handed-over-in-order-pg",
    idea: "an event is handed over while an earlier one of its execution is pending",
    file: "packages/store-pg/src/functions/store_moves.sql",
    before: "v_begun[n] := FOUND;",
    after: "v_begun[n] := TRUE;",
    test: inStore(
      "pg",
      "deliveries/queue/HandOverSuite",
      "keeps an event behind an earlier one that another dispatcher holds"
    )
  }
]
