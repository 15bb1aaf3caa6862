/** Every call of the runner API. Each may be repeated without harm, except claims that report outcomes. */
import type {
  ArtifactFields,
  ArtifactRegistered,
  Asked,
  AskInput,
  ClaimAnswer,
  ClaimWork,
  Ending,
  Heartbeat,
  HeartbeatAnswer,
  LeaseRef,
  OpenSession,
  Outcome,
  Session,
  Started
} from "../wire/Runner.ts"
import type { AdminClient, ClientTypes } from "./Client.ts"
import type { Request } from "./Request.ts"
import * as Requests from "./Runner.generated.ts"

/** Work under a lease, such as a claim. Calls for it belong to its trace. */
export interface Held extends LeaseRef {
  readonly traceparent?: string | undefined
}

export const runner = <T extends ClientTypes>(client: Pick<AdminClient<T>, "call" | "nothing">) => ({
  openSession: (body: OpenSession, options?: T["options"]) =>
    client.call<Session>(Requests.openSession(body, options)),

  closeSession: (id: string, options?: T["options"]) => client.nothing(Requests.closeSession(id, options)),

  /** A claim with outcomes is repeated only after a 429: otherwise the outcomes are better reported one by one. */
  claim: (body: ClaimWork, options?: T["options"]) =>
    client.call<ClaimAnswer>({
      ...Requests.claim(body, options),
      repeatable: body.outcomes === undefined,
      waitMs: body.wait_ms
    }),

  heartbeat: (body: Heartbeat, options?: T["options"]) =>
    client.call<HeartbeatAnswer>(Requests.heartbeat(body, options)),

  start: (lease: Held, options?: T["options"]) =>
    client.call<Started>(underLease(Requests.start, lease, {}, options)),

  giveBack: (lease: Held, reason: string, options?: T["options"]) =>
    client.call<unknown>(underLease(Requests.giveBack, lease, { reason }, options)),

  ask: (lease: Held, fields: Omit<AskInput, "epoch">, options?: T["options"]) =>
    client.call<Asked>(underLease(Requests.ask, lease, fields, options)),

  registerArtifact: (lease: Held, fields: ArtifactFields, options?: T["options"]) =>
    client.call<ArtifactRegistered>(underLease(Requests.registerArtifact, lease, fields, options)),

  completeArtifact: (lease: Held, artifact_id: string, options?: T["options"]) =>
    client.call<unknown>(
      underLease(
        (execution_id, body, own) => Requests.completeArtifact({ execution_id, artifact_id }, body, own),
        lease,
        {},
        options
      )
    ),

  keepCheckpoint: (lease: Held, value: unknown, options?: T["options"]) =>
    client.nothing(underLease(Requests.keepCheckpoint, lease, { value }, options)),

  complete: (lease: Held, outcome: Outcome, options?: T["options"]) =>
    client.call<Ending>(underLease(Requests.complete, lease, outcome, options))
})

/** A request for work under a lease, which belongs to its trace. */
const underLease = <A, Options>(
  request: (id: string, body: object, options?: Options) => Request<A, Options>,
  { epoch, execution_id, traceparent }: Held,
  fields: object,
  options?: Options
): Request<A, Options> =>
  request(
    execution_id,
    { epoch, ...fields },
    traceparent === undefined ? options : Object.assign({ headers: { traceparent } }, options)
  )
