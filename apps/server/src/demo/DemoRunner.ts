/**
 * A runner inside the server. It works like any runner: it opens a session, and
 * polls for work and commands, which is also its heartbeat.
 */
import type { ExecutionId, SessionId } from "@runhook/core/domain/Ids"
import type { InFlight, RunnerCommand } from "@runhook/core/domain/run/RunnerCommand"
import { Draining } from "@runhook/core/runtime/Draining"
import * as Loop from "@runhook/core/runtime/Loop"
import { RunnerTimings } from "@runhook/core/Settings"
import { type Claim, Polling } from "@runhook/core/usecases/Polling"
import { Runs } from "@runhook/core/usecases/Runs"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Readiness } from "../process/Readiness.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { DemoAccount, slots } from "./DemoAccount.ts"
import * as DemoAttempt from "./DemoAttempt.ts"

/**
 * If no other server has this database, the next life of this one finds its work
 * again: its pages can be fetched twice.
 */
const instanceIn = ({ store }: ServerSettings, made: string): string =>
  store._tag === "Server" ? made : "demo-runner"

/** Serves the demo agent until the service drains. Work in flight continues until the scope ends. */
export const layer = (settings: ServerSettings) => Layer.effectDiscard(serving(settings))

const serving = Effect.fnUntraced(function* (settings: ServerSettings) {
  const { agent, runnerKey: key } = yield* DemoAccount
  const attempt = yield* DemoAttempt.make(key)
  const draining = yield* Draining
  const polling = yield* Polling
  const random = yield* SecureRandom
  const runs = yield* Runs
  const { await: untilServing } = yield* Readiness
  const timings = yield* RunnerTimings
  const instanceId = instanceIn(settings, yield* random.uuidV7())

  const working = yield* FiberMap.make<ExecutionId>()
  const held = new Map<ExecutionId, InFlight>()

  const begin = Effect.fnUntraced(function* (claim: Claim) {
    const { epoch, id } = claim.run.execution
    if (held.get(id)?.epoch === epoch) return
    const own: InFlight = { executionId: id, epoch }
    held.set(id, own)
    const forget = Effect.sync(() => {
      if (held.get(id) === own) held.delete(id)
    })
    yield* FiberMap.run(working, id, Effect.ensuring(attempt(claim), forget))
  })

  // The end of any work wakes the open poll, since its lost lease is then old news.
  const poll = Effect.fnUntraced(function* (sessionId: SessionId) {
    const { claims, commands, lost } = yield* polling.poll({
      key,
      sessionId,
      claimId: yield* random.uuidV7(),
      inFlight: [...held.values()],
      isDraining: false,
      freeSlots: slots - held.size,
      wait: timings.pollWait
    })
    const dropped = [...commands.filter(isCancel), ...lost]
    yield* Effect.forEach(dropped, ({ executionId }) => FiberMap.remove(working, executionId), {
      discard: true
    })
    yield* Effect.forEach(claims, begin, { discard: true })
  })

  const serve = Effect.gen(function* () {
    const opened = yield* runs.open(key, {
      agentIds: [agent.id],
      capacity: slots,
      instanceId,
      labels: {},
      runnerName: "demo-runner",
      version: null
    })
    // From an earlier life, or from a claim whose answer was lost.
    const recovered = yield* Effect.forEach(opened.held, polling.withDefaults)
    yield* Effect.forEach(recovered, begin, { discard: true })
    while (!(yield* draining.hasBegun)) yield* poll(opened.session.id)
  })

  // Its uploads are requests like any other.
  const begun = Effect.andThen(untilServing, serve)

  yield* begun.pipe(
    // A failed poll is a developer's problem, never the end of the runner: it opens a session again.
    Loop.surviving("The demo runner stumbled", Effect.void),
    Effect.repeat(Schedule.spaced(Duration.seconds(1))),
    Effect.forkScoped
  )
})

const isCancel = (command: RunnerCommand) => command._tag === "Cancel"
