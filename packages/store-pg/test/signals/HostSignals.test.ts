/** Signals in a transaction of the host, by our driver and by another one. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { ExecutionId, newId } from "@runhook/core/shared/Ids"
import { Signals, type Topic } from "@runhook/core/signals/Signals"
import { channel } from "@runhook/store-pg/signals/NotifyPayload"
import * as PgSignals from "@runhook/store-pg/signals/PgSignals"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { hosts, stores } from "../Hosts.ts"

const makeTopic = () => Effect.map(newId(ExecutionId), (id): Topic => `execution:${id}`)

describe.each(hosts)("Signals in a transaction of the host, $by", ({ inTransaction, place }) => {
  it.layer(Layer.provideMerge(PgSignals.layer, stores(place)), { excludeTestServices: true })((it) => {
    it.effect("reach every process when it commits, and nobody when it is rolled back", () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const [undone, kept] = yield* Effect.all([makeTopic(), makeTopic()])
        const notices = yield* (yield* PgClient.PgClient).listen(channel)

        yield* Effect.exit(inTransaction(Effect.andThen(signals.notify([undone]), Effect.fail("No"))))
        yield* inTransaction(signals.notify(["draining", kept]))

        const heard: Array<string> = []
        while (!heard.includes(kept)) heard.push(...(yield* Queue.take(notices)).payload.split(" "))
        assert.notInclude(heard, undone)
        assert.notInclude(heard, "draining")
      }).pipe(Effect.scoped)
    )

    it.effect("wake who waits in its own process", () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const [first, topic] = yield* Effect.all([makeTopic(), makeTopic()])
        // Once this is heard, the process listens.
        const waiter = yield* Effect.forkChild(yield* signals.subscribe([first]), { startImmediately: true })
        yield* inTransaction(signals.notify([first])).pipe(
          Effect.repeat({
            schedule: Schedule.spaced("20 millis"),
            until: () => waiter.pollUnsafe() !== undefined
          })
        )
        const woken = yield* signals.subscribe([topic])

        yield* inTransaction(signals.notify([topic]))

        yield* woken
      }).pipe(Effect.scoped)
    )
  })
})
