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
import { idempotentPost, pathOf, remove } from "./Describe.ts"
import type { Request } from "./Request.ts"

/** Work under a lease, such as a claim. Calls for it belong to its trace. */
export interface Held extends LeaseRef {
  readonly traceparent?: string | undefined
}

export const runner = <T extends ClientTypes>(client: Pick<AdminClient<T>, "call" | "nothing">) => ({
  openSession: (body: OpenSession, options?: T["options"]) =>
    client.call<Session>(idempotentPost("/sessions", body, options)),

  closeSession: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/sessions/${id}`, options)),

  /** A claim with outcomes is repeated only after a 429: otherwise the outcomes are better reported one by one. */
  claim: (body: ClaimWork, options?: T["options"]) =>
    client.call<ClaimAnswer>({
      ...idempotentPost("/claims", body, options),
      repeatable: body.outcomes === undefined,
      waitMs: body.wait_ms
    }),

  heartbeat: (body: Heartbeat, options?: T["options"]) =>
    client.call<HeartbeatAnswer>(idempotentPost("/heartbeats", body, options)),

  start: (lease: Held, options?: T["options"]) => client.call<Started>(ofLease(lease, "start", {}, options)),

  giveBack: (lease: Held, reason: string, options?: T["options"]) =>
    client.call<unknown>(ofLease(lease, "release", { reason }, options)),

  ask: (lease: Held, fields: Omit<AskInput, "epoch">, options?: T["options"]) =>
    client.call<Asked>(ofLease(lease, "inputs", fields, options)),

  registerArtifact: (lease: Held, fields: ArtifactFields, options?: T["options"]) =>
    client.call<ArtifactRegistered>(ofLease(lease, "artifacts", fields, options)),

  completeArtifact: (lease: Held, id: string, options?: T["options"]) =>
    client.call<unknown>(ofLease(lease, pathOf`artifacts/${id}/complete`, {}, options)),

  keepCheckpoint: (lease: Held, value: unknown, options?: T["options"]) =>
    client.nothing(ofLease(lease, "checkpoint", { value }, options)),

  complete: (lease: Held, outcome: Outcome, options?: T["options"]) =>
    client.call<Ending>(ofLease(lease, "complete", outcome, options))
})

/** Calls under a lease. */
const ofLease = <A, Options>(
  { epoch, execution_id, traceparent }: Held,
  verb: string,
  fields: object,
  options?: Options
): Request<A, Options> =>
  idempotentPost(
    pathOf`/executions/${execution_id}/` + verb,
    { epoch, ...fields },
    traceparent === undefined ? options : Object.assign({ headers: { traceparent } }, options)
  )
