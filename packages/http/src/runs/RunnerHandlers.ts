/** Runners and the work they do. */
import { RunnerCaller } from "@runhook/contract/Authorization"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { RunnerTimings } from "@runhook/core/Settings"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { Runs } from "@runhook/core/runs/Runs"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { finishing, mayWait, reporting } from "./OutcomeReports.ts"
import { capture, inFlight, introduction, logs, question, reports } from "./RunnerFromWire.ts"
import { answerOf, claimItem, leaseMillis, leases, news, servedAgent, sessionConfig } from "./RunnerToWire.ts"

export const RunnerHandlers = handlersOf(
  RunnerApi,
  "runner",
  Effect.fnUntraced(function* (handle) {
    const artifacts = yield* Artifacts
    const polling = yield* Polling
    const runs = yield* Runs
    const timings = yield* RunnerTimings
    const finish = finishing(runs)
    const report = reporting(finish)

    return handle({
      openSession: Effect.fnUntraced(
        function* ({ payload }) {
          const { agents, held, session } = yield* runs.open(yield* RunnerCaller, introduction(payload))
          const claims = yield* Effect.forEach(held, polling.withDefaults)
          const at = yield* DateTime.now
          return {
            session_id: session.id,
            config: sessionConfig(timings),
            agents: agents.map(servedAgent),
            recover: claims.map((claim) => claimItem(claim, at))
          }
        },
        toApiError,
        withRoom
      ),

      closeSession: Effect.fnUntraced(function* ({ params }) {
        yield* runs.close(yield* RunnerCaller, params.id)
      }, toApiError),

      claim: Effect.fnUntraced(function* ({ payload }) {
        // Outcomes are stored in any case: their slots become free, and the work is not done again.
        const outcomes = yield* report(payload.outcomes ?? [], (yield* CurrentCall).itemIssues)
        const polled = polling.poll({
          key: yield* RunnerCaller,
          sessionId: payload.session_id,
          inFlight: inFlight(payload.in_flight),
          isDraining: payload.draining ?? false,
          isStarting: payload.start ?? false,
          claimId: payload.claim_id,
          freeSlots: payload.free_slots,
          wait: mayWait(payload, outcomes)
            ? Duration.millis(payload.wait_ms ?? Duration.toMillis(timings.pollWait))
            : Duration.zero
        })
        const answered = Effect.gen(function* () {
          const pulse = yield* polled
          const at = yield* DateTime.now
          return {
            claims: pulse.claims.map((claim) => claimItem(claim, at)),
            ...news(pulse, timings),
            outcomes
          }
        })
        return yield* withRoom(answered)
      }, toApiError),

      heartbeat: Effect.fnUntraced(function* ({ payload }) {
        const pulse = yield* polling.beat({
          key: yield* RunnerCaller,
          sessionId: payload.session_id,
          inFlight: inFlight(payload.beats),
          reports: reports(payload.beats),
          logs: logs(payload.beats)
        })
        const at = yield* DateTime.now
        return { leases: leases(pulse, at), ...news(pulse, timings) }
      }, toApiError),

      start: Effect.fnUntraced(function* ({ params, payload }) {
        const { run } = yield* runs.start(yield* held(params, payload))
        const lease_ms = leaseMillis(run.lease, yield* DateTime.now)
        return { status: run.execution.status, lease_ms }
      }, toApiError),

      registerArtifact: Effect.fnUntraced(function* ({ params, payload }) {
        const { artifact, expiresIn, upload } = yield* artifacts.register({
          ...(yield* held(params, payload)),
          capture: capture(payload)
        })
        return {
          artifact_id: artifact.id,
          upload: { ...upload, expires_in_s: Duration.toSeconds(expiresIn) }
        }
      }, toApiError),

      completeArtifact: Effect.fnUntraced(function* ({ params, payload }) {
        yield* artifacts.complete({ ...(yield* held(params, payload)), artifactId: params.artifactId })
        return { state: "ready" as const }
      }, toApiError),

      ask: Effect.fnUntraced(function* ({ params, payload }) {
        const { change, input } = yield* runs.ask({
          ...(yield* held(params, payload)),
          question: question(payload)
        })
        const { status } = change.run.execution
        return { input_id: input.id, status, ...answerOf(input) }
      }, toApiError),

      keepCheckpoint: Effect.fnUntraced(function* ({ params, payload }) {
        yield* runs.keepCheckpoint({ ...(yield* held(params, payload)), value: payload.value })
      }, toApiError),

      complete: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* finish(yield* held(params, payload), payload)
      }, toApiError),

      giveBack: Effect.fnUntraced(function* ({ params, payload }) {
        const delay = Duration.millis(payload.delay_ms ?? 0)
        const { run } = yield* runs.giveBack({ ...(yield* held(params, payload)), delay })
        yield* Effect.logDebug("Given back").pipe(
          Effect.annotateLogs({ execution_id: params.id, ...payload })
        )
        return { status: run.execution.status }
      }, toApiError)
    })
  })
)

/** What it answers is a runner's work, which would be lost without room for it. */
const withRoom = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentCall, ({ share }) => share.withRoom(handler))

/** The work that a call of the runner is about. */
const held = (params: { readonly id: ExecutionId }, payload: { readonly epoch: number }) =>
  Effect.map(RunnerCaller, (key) => ({ key, id: params.id, epoch: payload.epoch }))
