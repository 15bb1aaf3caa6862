/**
 * Executions from their creation to the last of their callbacks, as a busy service
 * stores them: several on their way at once, their callbacks handed over to its dispatcher.
 */
import { createSecretKey } from "node:crypto"
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { signedRequest } from "@runhook/core/signing/SignedRequest"
import { attemptOf } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { makeTenant, newExecution, second, unlimited } from "@runhook/store-testing/Fixtures"
import { claimUpTo, lease, makeSession, writeTo } from "@runhook/store-testing/runs/RunFixtures"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"

/** How many are on their way at once. */
const together = 20

const callbackUrl = "https://receiver.example.com/hooks/runhook"

const keys: Parameters<typeof signedRequest>[0]["keys"] = [
  { whole: createSecretKey(Buffer.alloc(32, 7)), decoded: createSecretKey(Buffer.alloc(32, 8)) }
]

/** An attempt that a receiver has taken, with the headers that both sides send. */
const takenAttemptOf = (delivery: Delivery, at: DateTime.Utc) => {
  const { body, headers } = signedRequest({ delivery, keys, at })
  const answer = "ok"
  return attemptOf(delivery, {
    startedAt: at,
    durationMs: 11,
    timings: { dns: null, connect: null, tls: null, headers: 8, body: 1 },
    status: 200,
    error: null,
    requestHeaders: {
      host: new URL(delivery.url).host,
      connection: "keep-alive",
      ...headers,
      "accept-encoding": "identity",
      "content-length": Buffer.byteLength(body).toString()
    },
    responseHeaders: {
      "content-type": "text/plain",
      date: new Date(at.epochMilliseconds).toUTCString(),
      connection: "keep-alive",
      "keep-alive": "timeout=5",
      "content-length": answer.length.toString()
    },
    responseBody: answer
  })
}

/** Answers how to bring so many executions from the first request to the last callback. */
export const makeLifecycles = Effect.gen(function* () {
  const executions = yield* ExecutionStore
  const runs = yield* RunStore
  const deliveries = yield* DeliveryStore
  const tenant = yield* makeTenant({ capacity: together })
  const session = yield* makeSession(tenant, { capacity: together })
  let millis = 10_000

  /** Some milliseconds later than before. */
  const later = (passed: number): DateTime.Utc => {
    millis += passed
    return second(millis / 1_000)
  }
  const all = { concurrency: "unbounded" } as const

  const create = Effect.gen(function* () {
    const execution = yield* newExecution(tenant, { createdAt: later(1), callbackUrl })
    yield* executions.create({ ...unlimited, execution })
  })

  const inlet = yield* makeInlet(tenant, { places: Infinity })

  const deliver = Effect.gen(function* () {
    const begun = inlet.begun.splice(0)
    const at = later(2)
    yield* deliveries.settle(
      begun.map((delivery) => ({
        accountId: tenant.accountId,
        attempt: takenAttemptOf(delivery, at),
        sent: delivery,
        verdict: { _tag: "Delivered" }
      })),
      later(10)
    )
    return begun.length
  })

  /** All are told of it, or what is counted is not what the table is of. */
  const deliverToAll = Effect.filterOrElse(
    deliver,
    (count) => count === together,
    (count) => Effect.die(new Error(`${count} of ${together} callbacks were handed over`))
  )

  const round = Effect.gen(function* () {
    yield* Effect.forEach(Array.from({ length: together }), () => create, all)
    yield* deliverToAll
    const { claims } = yield* claimUpTo(session, { limit: together, at: later(10) })
    const startedAt = later(5)
    const started = yield* Effect.forEach(
      claims,
      ({ run }) => runs.start({ ...writeTo(run, startedAt), lease }),
      all
    )
    yield* deliverToAll
    const finishedAt = later(5)
    yield* Effect.forEach(
      started,
      ({ run }) =>
        runs.finish({
          ...writeTo(run, finishedAt),
          outcome: { _tag: "Completed", result: StoredJson.of({ sum: 3 }) },
          fingerprint: "f".repeat(64)
        }),
      all
    )
    yield* deliverToAll
  })

  return (count: number) => Effect.repeat(round, { times: count / together - 1 })
})
