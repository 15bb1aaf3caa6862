/** What polls that wait for messages cost the database. */
import { assert, describe, it } from "@effect/vitest"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { fanOutAll, makeEndpoint } from "@runhook/store-testing/endpoints/EndpointFixtures"
import { makeExecution, makeTenant, plenty, second } from "@runhook/store-testing/Fixtures"
import { citus } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import { CurrentTransformer } from "effect/sql/Statement"
import { makeProcess } from "../Process.ts"
import { layerMigrated } from "../TestDatabase.ts"

/** A process, and a mailbox of each of several accounts. */
const mailboxes = Effect.gen(function* () {
  const { does } = yield* makeProcess()
  const tenants = yield* Effect.replicateEffect(does(makeTenant()), 6)
  const made = yield* Effect.forEach(tenants, ({ accountId }) =>
    does(makeEndpoint(accountId, { kind: "poll" }))
  )
  return { does, made, tenants }
})

/** What work answers, and how many statements it sends. */
const counting = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let sent = 0
    return work.pipe(
      Effect.provideService(CurrentTransformer, (statement) =>
        Effect.sync(() => {
          sent++
          return statement
        })
      ),
      Effect.map((answer) => ({ answer, sent }))
    )
  })

// Citus takes no look over all buckets.
describe.runIf(citus === undefined)("Polls that wait for messages", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("are looked after by one statement for all accounts", () =>
      Effect.gen(function* () {
        const { does, made, tenants } = yield* mailboxes
        yield* Effect.forEach(tenants.slice(4), (tenant) => does(makeExecution(tenant)))
        yield* does(fanOutAll)

        const { answer, sent } = yield* counting(
          does(EndpointStore.use((store) => store.changed(made, second(9))))
        )

        assert.sameMembers(
          [...answer],
          made.slice(4).map(({ id }) => id)
        )
        assert.strictEqual(sent, 1)
      })
    )

    it.effect("ask by one statement each when they begin, while nothing is there", () =>
      Effect.gen(function* () {
        const { does, made } = yield* mailboxes
        const [mailbox] = made
        assert(mailbox !== undefined)

        const { answer, sent } = yield* counting(
          does(
            EndpointStore.use((store) => store.fetch(mailbox, { at: second(9), limit: 10, bytesMax: plenty }))
          )
        )

        assert.deepStrictEqual(answer, { messages: [], nextDueAt: null })
        assert.strictEqual(sent, 1)
      })
    )
  })
})
