/** The routes on a Node server that the host made itself. */
import { createServer, type RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import { toNodeListener } from "../src/NodeListener.ts"
import { enveloped, errorOf, jsonOf, keys, sending, testRoutes } from "./Hosts.ts"
import { Gates, makeGates } from "./TestApi.ts"

/** A server of `node:http`, which ends with the scope. */
const serving = (listener: RequestListener) =>
  Effect.map(listening(createServer(listener)), (port) => `http://127.0.0.1:${port}`)

const makeListener = (
  gates = makeGates(),
  ...others: ReadonlyArray<Layer.Layer<never, never, HttpRouter.HttpRouter>>
) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      toNodeListener(
        Layer.mergeAll(testRoutes, ...others).pipe(
          Layer.provide([enveloped, keys, Layer.succeed(Gates, gates)])
        )
      )
    ),
    ({ dispose }) => Effect.promise(dispose)
  )

const thing = sending("POST", `{"name": "a thing"}`)

describe("the listener", () => {
  it.live("answers by the routes, and refuses in their own form", () =>
    Effect.gen(function* () {
      const { listener } = yield* makeListener()
      const url = yield* serving(listener)

      const [created, refused] = yield* Effect.promise(() =>
        Promise.all([
          fetch(`${url}/api/test/things`, thing),
          fetch(`${url}/api/test/things`, sending("POST", `{"name": ""}`))
        ])
      )

      assert.strictEqual(created.status, 200)
      assert.hasAllKeys(yield* jsonOf(created), ["request_id"])
      assert.strictEqual(refused.status, 422)
      assert.include(yield* errorOf(refused), { code: "invalid_request" })
    })
  )

  it.live.each([thing, sending("POST", "")])("answers 500 for a body that the host has read: $body", (init) =>
    Effect.gen(function* () {
      const { listener } = yield* makeListener()
      const url = yield* serving(async (request, response) => {
        for await (const _ of request);
        listener(request, response)
      })

      const answer = yield* Effect.promise(() => fetch(`${url}/api/test/things`, init))

      assert.strictEqual(answer.status, 500)
      assert.include(yield* errorOf(answer), {
        code: "internal_error",
        message: "body: was read before it came here. Mount these routes before any parser of bodies"
      })
    })
  )

  it.live("interrupts work for a caller that has gone", () =>
    Effect.gen(function* () {
      const { entered, exit } = makeGates()
      const working = HttpRouter.add("GET", "/working", () =>
        Effect.andThen(
          entered.open,
          Effect.onInterrupt(Effect.never, () => exit.open)
        )
      )
      const { listener } = yield* makeListener(makeGates(), working)
      const url = yield* serving(listener)
      const leaving = new AbortController()
      fetch(`${url}/working`, { signal: leaving.signal }).catch(() => undefined)
      yield* entered.await

      leaving.abort()

      yield* exit.await
    })
  )

  it.live("answers 503 to what is in flight when it is disposed of", () =>
    Effect.gen(function* () {
      const gates = makeGates()
      const { dispose, listener } = yield* makeListener(gates)
      const url = yield* serving(listener)
      const answered = fetch(`${url}/api/test/slow`)
      yield* gates.entered.await

      yield* Effect.promise(dispose)

      const [before, after] = yield* Effect.promise(() =>
        Promise.all([answered, fetch(`${url}/api/test/slow`)])
      )
      assert.deepStrictEqual([before.status, after.status], [503, 503])
    })
  )
})
