/** Faults that would send callbacks too often, too early, or not at all. */
import type { Fault, NamedTest } from "../Fault.ts"

const inPostgres = (suite: string, title: string): NamedTest => ({
  file: "packages/store-pg/test/PgStore.test.ts",
  suite: `packages/store-testing/src/${suite}.ts`,
  title
})

export const delivering: ReadonlyArray<Fault> = [
  {
    name: "order-by-change",
    idea: "the events of an execution go by the clocks of those that made them",
    file: "packages/core/src/domain/delivery/DeliveryOrder.ts",
    before: "({ revision }) => revision ?? 0)",
    after: "() => 0)",
    test: {
      file: "packages/core/test/domain/delivery/DeliveryOrder.test.ts",
      title: "goes by the changes that are told of, whatever the ids say"
    }
  },
  {
    name: "order-by-change-pg",
    idea: "the events of an execution go by the clocks of those that made them",
    file: "packages/core/src/domain/delivery/DeliverySteps.ts",
    before: "byRevision(each.delivery, delivery) < 0",
    after: "each.delivery.id < delivery.id",
    test: inPostgres(
      "deliveries/DeliveryOrderSuite",
      "goes by the changes that events tell of, however far the clocks of their processes are apart"
    )
  },
  {
    name: "order-waits",
    idea: "an event overtakes the one before it at its first refusal",
    file: "packages/core/src/domain/delivery/DeliveryOrder.ts",
    before: "export const refusalsWaited = 3",
    after: "export const refusalsWaited = 1",
    test: {
      file: "packages/core/test/domain/delivery/DeliveryOrder.test.ts",
      title: "holds an event back for three refusals of the one before it"
    }
  },
  {
    name: "retry-schedule",
    idea: "receivers that are away have less time to come back",
    file: "packages/core/src/domain/delivery/DeliveryBackoff.ts",
    before: "  Duration.hours(12),\n",
    after: "  Duration.hours(1),\n",
    test: {
      file: "packages/core/test/domain/delivery/DeliveryBackoff.test.ts",
      title: "spreads 12 attempts over 70.7 hours"
    }
  },
  {
    name: "retry-after",
    idea: "a receiver that asks for a pause is asked again at once",
    file: "packages/core/src/domain/delivery/DeliveryBackoff.ts",
    before: "Duration.max(step, Duration.min(retryAfter, retryAfterMax))",
    after: "Duration.min(step, Duration.min(retryAfter, retryAfterMax))",
    test: {
      file: "packages/core/test/domain/delivery/DeliveryBackoff.test.ts",
      title: "waits as long as the receiver asks, up to an hour, and never less than the step"
    }
  },
  {
    name: "work-backoff",
    idea: "work that fails again and again is tried again as fast as at first",
    file: "packages/core/src/domain/execution/RetryBackoff.ts",
    before: "factor ** (failed.attempt - 1)",
    after: "factor",
    test: {
      file: "packages/core/test/domain/execution/RetryBackoff.test.ts",
      title: "grows by its factor up to its longest"
    }
  },
  {
    name: "breaker-counts",
    idea: "a breaker opens although the receiver answers in between",
    file: "packages/webhook-dispatcher/src/receivers/CircuitBreaker.ts",
    before: "return isFailure(signal) ? failures + 1 : 0",
    after: "return isFailure(signal) ? failures + 1 : failures",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/CircuitBreaker.test.ts",
      title: "begins anew once the receiver answers, be it that it refuses"
    }
  },
  {
    name: "breaker-opens",
    idea: "a receiver that fails is asked on and on",
    file: "packages/webhook-dispatcher/src/receivers/CircuitBreaker.ts",
    before: "export const failuresToOpen = 5",
    after: "export const failuresToOpen = 50",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/BreakerMoves.test.ts",
      title: "opens with the fifth failure, for ten seconds"
    }
  },
  {
    name: "results-bounded",
    idea: "a process takes on and on while the store keeps none of its results",
    file: "packages/webhook-dispatcher/src/receivers/InFlightLimits.ts",
    before: "return this.#quotas.places - this.#held",
    after: "return this.#quotas.places",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/InFlightLimits.test.ts",
      title: "has no room while too many results wait to be stored"
    }
  },
  {
    name: "handed-over-waits",
    idea: "new events of a receiver pass by the old ones that wait for it",
    file: "packages/webhook-dispatcher/src/receivers/InFlightLimits.ts",
    before: "!this.#saturation.covers(receiver)",
    after: "true",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/InFlightLimits.test.ts",
      title: "takes nothing past what is older, and may be due to the same receiver"
    }
  },
  {
    name: "handed-over-bounded",
    idea: "a receiver gets what was claimed for it and what was handed over, both up to its limit",
    file: "packages/webhook-dispatcher/src/receivers/InFlightLimits.ts",
    before: "handedOver === 0 || this.#hasPlaceFor(permit.receiver)",
    after: "true",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/InFlightLimits.test.ts",
      title: "places what was claimed within the room that is left beside what was handed over meanwhile"
    }
  },
  {
    name: "kept-place-is-known",
    idea: "what is about to be handed over is given back because another event is in doubt, and sent twice",
    file: "packages/webhook-dispatcher/src/LeasedDeliveries.ts",
    before: "return [...this.#held.keys(), ...this.#expected, ...this.#returning]",
    after: "return [...this.#held.keys(), ...this.#returning]",
    test: {
      file: "packages/webhook-dispatcher/test/Inlet.test.ts",
      title: "does not take back what it is about to hear of, because of another that is in doubt"
    }
  },
  {
    name: "returned-twice",
    idea: "what is being given back is also looked for as lost, and taken away after it was claimed anew",
    file: "packages/webhook-dispatcher/src/LeasedDeliveries.ts",
    before: ", ...this.#returning]",
    after: "]",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/LinesOrder.test.ts",
      title: "is kept however claims, events that are handed over, results and returns follow each other"
    }
  },
  {
    name: "order-guessed",
    idea: "an event is sent although nobody here knows what became of the one before it",
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
    before: 'standingOf(inFlight) === "free"',
    after: 'standingOf(inFlight) !== "broken"',
    test: {
      file: "packages/webhook-dispatcher/test/LeasedAhead.test.ts",
      title: "is sent after the event that it is behind is stored as settled, and not before"
    }
  },
  {
    name: "line-of-the-silent",
    idea: "a receiver that has never answered, or fails, keeps a whole line of deliveries from others",
    file: "packages/webhook-dispatcher/src/receivers/LeaseWindow.ts",
    before: "if (answerMs === null || failures > 0) return limit",
    after: "if (answerMs === null) return limit * aheadMax",
    test: {
      file: "packages/webhook-dispatcher/test/receivers/LeaseWindow.test.ts",
      title: "is what is sent at once until the receiver has answered, and after a failure"
    }
  },
  {
    name: "answer-in-time",
    idea: "a receiver that never answers is waited for without an end",
    file: "packages/guarded-http/src/Deadlines.ts",
    before: "deadline.expire()",
    after: "",
    test: {
      file: "packages/guarded-http/test/Deadlines.test.ts",
      title: "expire each after the limit, to the millisecond"
    }
  },
  {
    name: "settle-stale-pg",
    idea: "a dispatcher whose lease another one has says how the delivery ended",
    file: "packages/store-pg/src/deliveries/steps/StoreSteps.ts",
    before:
      " AND d.attempts = n.attempts_before\n    AND d.next_attempt_at IS NOT DISTINCT FROM n.due_before",
    after: "",
    test: inPostgres(
      "deliveries/DeliverySettleSuite",
      "changes nothing by the settlement of a worker whose lease another one has"
    )
  },
  {
    name: "settle-account-pg",
    idea: "a delivery is settled in the name of another account",
    file: "packages/store-pg/src/deliveries/steps/ReadDeliveries.ts",
    before: "d.account_id = a.account_id AND d.id = a.id",
    after: "d.id = a.id",
    test: {
      ...inPostgres("isolation/IsolationSuite", "hides what is an account's from its neighbour"),
      ending: ": settle a delivery"
    }
  }
]
