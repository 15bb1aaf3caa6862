/** What a busy service does for standing endpoints, one verb after the other, each for real. */
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { acknowledgedAttempt } from "@runhook/core/endpoints/Messages"
import type { DeliverySummary } from "@runhook/core/deliveries/Delivery"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { EndpointStore } from "@runhook/core/endpoints/EndpointStore"
import { type ClaimedRun, RunStore } from "@runhook/core/runs/RunStore"
import { makeExecution, plenty, second } from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Samples } from "./Samples.ts"
import { type Asked, prepared, together, type Verb } from "./Verb.ts"

const at = second(2)

/** Each of two endpoints is told of each. */
const events = 2 * together

const all = { concurrency: "unbounded" } as const

export const endpointRound = Effect.fnUntraced(function* ({
  told: { polled, quiet, session, tenant }
}: Samples) {
  const deliveries = yield* DeliveryStore
  const endpoints = yield* EndpointStore
  const runs = yield* RunStore
  const { accountId } = tenant
  let held: ReadonlyArray<ClaimedRun> = []
  let fetched: ReadonlyArray<DeliverySummary> = []

  // They go before all that waits.
  const create = Effect.flatMap(DateTime.now, (createdAt) =>
    makeExecution(tenant, { createdAt, priority: 1_000 })
  )
  const claim = claimUpTo(session, { limit: together, at }).pipe(
    Effect.tap(({ claims }) => Effect.sync(() => (held = claims)))
  )
  const eachHeld = (doing: (write: ReturnType<typeof writeTo>) => Asked) =>
    Effect.suspend(() => Effect.forEach(held, ({ run }) => doing(writeTo(run, at)), all))
  const outcome = { _tag: "Completed", result: StoredJson.of({ sum: 3 }) } as const
  const fetch = endpoints
    .fetch(polled, { at, limit: together, bytesMax: plenty })
    .pipe(Effect.tap(({ messages }) => Effect.sync(() => (fetched = messages))))
  const acknowledge = Effect.suspend(() =>
    endpoints.given(
      polled,
      fetched.map(({ id }) => id)
    )
  ).pipe(
    Effect.flatMap((given) =>
      given.length === 0
        ? Effect.die(new Error("Nothing was given out"))
        : deliveries.settle(
            given.map((delivery) => ({
              accountId,
              attempt: acknowledgedAttempt(delivery, at),
              verdict: { _tag: "Delivered" }
            })),
            at
          )
    )
  )
  const fanOut = (limit: number) => Effect.suspend(() => endpoints.fanOut({ limit, at }))
  const verb = (name: string, rows: number, run: Asked): Verb => ({ name, rows, run })

  const verbs: ReadonlyArray<Verb> = [
    verb("creates of which endpoints are told", together, Effect.replicateEffect(create, together, all)),
    verb("a create of which endpoints are told", 1, create),
    verb("what endpoints are told of one", 2, fanOut(1)),
    verb("what endpoints are told of creates", events, fanOut(together)),
    prepared(claim),
    verb(
      "starts of which endpoints are told",
      together,
      eachHeld((write) => runs.start({ ...write, lease }))
    ),
    verb(
      "finishes of which endpoints are told",
      together,
      eachHeld((write) => runs.finish({ ...write, outcome, fingerprint: "done" }))
    ),
    verb("what endpoints are told of starts and finishes", 2 * events, fanOut(2 * together)),
    verb("a look for what endpoints are told, where nothing is left", together, fanOut(together)),
    verb("a fetch of one message", 1, endpoints.fetch(polled, { at, limit: 1, bytesMax: plenty })),
    verb("a fetch of messages", together, fetch),
    verb("their acknowledgement", together, acknowledge),
    verb("a fetch where nothing waits", 1, endpoints.fetch(quiet, { at, limit: together, bytesMax: plenty })),
    verb("a look for all who wait for messages", 2, endpoints.changed([polled, quiet], at)),
    verb("a look for messages that nobody fetches", together, endpoints.prune({ at, limit: together })),
    verb("an endpoint", 1, endpoints.get({ ...polled, apiKeyId: null })),
    verb("endpoints in a list", together, endpoints.list({ accountId, apiKeyId: null }))
  ]
  return verbs
})
