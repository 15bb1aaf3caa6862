/** Whether the process lives, and whether to send it requests. Neither needs a key. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import { Draining } from "@runhook/core/engine/Draining"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { errorAnswer } from "../errors/ErrorAnswer.ts"

/** The answer of a check if the thing is there but limited: the service stays ready, and names it. */
export const limited = "limited"

/** Something that the service cannot do without. */
export interface ReadinessCheck {
  /** The name in the answer: `database`. */
  readonly name: string
  /** Fails, or takes longer than `checkTimeout`, if the thing is not there. May answer `limited`. */
  readonly check: Effect.Effect<unknown, unknown>
}

/** What the service needs to be ready; nothing unless the host says so. */
export const ReadinessChecks = Context.Reference<ReadonlyArray<ReadinessCheck>>(
  "@runhook/http/ReadinessChecks",
  { defaultValue: () => [] }
)

/**
 * Whether others have taken the place of a process that stops, and answer for the
 * service: then `/readyz` does not say that it stops.
 */
export const Relief = Context.Reference<{ isThere: boolean }>("@runhook/http/Relief", {
  defaultValue: () => ({ isThere: false })
})

/** Longest wait for one check. */
export const checkTimeout = Duration.seconds(2)

/** `/livez`: 200 as long as the process answers at all. */
const live = HttpRouter.add(
  "GET",
  "/livez",
  Effect.map(CurrentRequestId, (request_id) => HttpServerResponse.jsonUnsafe({ status: "ok", request_id }))
)

/**
 * `/readyz`: 503 while the service stops, or while something it needs is away. If
 * ready, it names what is `limited`.
 */
const ready = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const draining = yield* Draining
    const checks = yield* ReadinessChecks
    const relief = yield* Relief

    const answer = Effect.gen(function* () {
      if ((yield* draining.hasBegun) && !relief.isThere)
        return yield* errorAnswer({ status: 503, message: "The service is stopping" })
      const found = yield* Effect.forEach(checks, lookAt, { concurrency: "unbounded" })
      const namesOf = (condition: Condition) =>
        found.filter((each) => each.condition === condition).map(({ name }) => name)
      const missing = namesOf("missing")
      if (missing.length > 0) {
        return yield* errorAnswer({
          status: 503,
          message: `Not ready: ${missing.join(", ")}`,
          details: { missing }
        })
      }
      const request_id = yield* CurrentRequestId
      return HttpServerResponse.jsonUnsafe({ status: "ready", limited: namesOf(limited), request_id })
    })

    yield* router.add("GET", "/readyz", answer)
  })
)

type Condition = "missing" | "ready" | typeof limited

const lookAt = ({ check, name }: ReadinessCheck) =>
  forTime(check).pipe(
    Effect.map((answer): Condition => (answer === limited ? limited : "ready")),
    // A typed error or a broken driver: for readiness they are the same.
    Effect.catchCause((cause) =>
      Effect.as(
        // The storage itself has told the operator, once.
        Cause.squash(cause) instanceof StorageUnavailable
          ? Effect.void
          : Effect.logWarning(`Readiness check "${name}" failed`, cause),
        "missing" as const
      )
    ),
    Effect.map((condition) => ({ name, condition }))
  )

/** Ends in time even if the check cannot be interrupted at once, such as one that waits for its database. */
const forTime = (check: ReadinessCheck["check"]) =>
  Effect.flatMap(Effect.forkDetach(check), (fiber) =>
    Fiber.join(fiber).pipe(
      Effect.timeout(checkTimeout),
      Effect.ensuring(Effect.sync(() => fiber.interruptUnsafe()))
    )
  )

export const layer = Layer.merge(live, ready)
