/** The calls of the runner API. Each may be repeated without harm, so each but two is, until it is answered or its signal aborts. */
import { readNothing } from "../call/Answer.ts"
import type { Clock } from "../call/Clock.ts"
import type { LogEntry } from "../call/Log.ts"
import { pathOf } from "../call/Request.ts"
import { makeSend } from "../call/Send.ts"
import { type CallOptions, type RunhookOptions, settingsOf } from "../call/Settings.ts"
import type {
  ArtifactFields,
  ArtifactRegistered,
  AskInput,
  Asked,
  ClaimAnswer,
  ClaimWork,
  Heartbeat,
  HeartbeatAnswer,
  LeaseRef,
  OpenSession,
  Outcome,
  Session,
  Started
} from "../wire/Runner.ts"

/** Longest wait for the answer of one attempt, beyond the wait that is asked for, in milliseconds. */
const attemptTimeoutMs = 15_000

/** Where the service is, and the key. All that the thread of the heartbeats needs to know. */
export interface Address {
  readonly baseUrl: string
  /** A runner key, `rhrun_…`. */
  readonly apiKey: string
}

export interface CallsOptions extends Address {
  readonly fetch?: RunhookOptions["fetch"]
  readonly log?: ((entry: LogEntry) => void) | undefined
}

export type Calls = ReturnType<typeof makeCalls>

export const makeCalls = (options: CallsOptions, clock: Clock) => {
  const limits = { attemptTimeoutMs, retries: Infinity, timeoutMs: Infinity }
  const send = makeSend(settingsOf({ ...options, ...limits }, "runner"), clock)
  const post = <A>(path: string, body: object, callOptions: CallOptions) =>
    send<A>({ method: "POST", path, body, repeatable: true }, callOptions)

  return {
    openSession: (body: OpenSession, signal: AbortSignal) => post<Session>("/sessions", body, { signal }),

    closeSession: (id: string, signal: AbortSignal) =>
      send({ method: "DELETE", path: pathOf`/sessions/${id}` }, { signal }, readNothing),

    /** One that tells of ended work is made again only when it was refused for its rate: else that is better told by itself. */
    claim: (body: ClaimWork, signal: AbortSignal) =>
      send<ClaimAnswer>(
        {
          method: "POST",
          path: "/claims",
          body,
          repeatable: body.outcomes === undefined,
          waitMs: body.wait_ms
        },
        { signal }
      ),

    /** One attempt: whoever beats knows best when to try again. */
    heartbeat: (body: Heartbeat, limitMs: number) =>
      post<HeartbeatAnswer>("/heartbeats", body, {
        retries: 0,
        attemptTimeoutMs: Math.min(limitMs, attemptTimeoutMs)
      }),

    start: ({ epoch, execution_id }: LeaseRef, signal: AbortSignal) =>
      post<Started>(pathOf`/executions/${execution_id}/start`, { epoch }, { signal }),

    giveBack: ({ epoch, execution_id }: LeaseRef, reason: string, signal: AbortSignal) =>
      post(pathOf`/executions/${execution_id}/release`, { epoch, reason }, { signal }),

    ask: ({ epoch, execution_id }: LeaseRef, fields: Omit<AskInput, "epoch">, signal: AbortSignal) =>
      post<Asked>(pathOf`/executions/${execution_id}/inputs`, { epoch, ...fields }, { signal }),

    registerArtifact: ({ epoch, execution_id }: LeaseRef, fields: ArtifactFields, signal: AbortSignal) =>
      post<ArtifactRegistered>(
        pathOf`/executions/${execution_id}/artifacts`,
        { epoch, ...fields },
        { signal }
      ),

    completeArtifact: ({ epoch, execution_id }: LeaseRef, artifactId: string, signal: AbortSignal) =>
      post(pathOf`/executions/${execution_id}/artifacts/${artifactId}/complete`, { epoch }, { signal }),

    complete: ({ epoch, execution_id }: LeaseRef, outcome: Outcome, signal: AbortSignal) =>
      post(pathOf`/executions/${execution_id}/complete`, { epoch, ...outcome }, { signal })
  }
}
