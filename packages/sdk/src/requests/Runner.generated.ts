/** The requests of the runner API. Generated from the contract by `npm run generate`: do not edit. */
import type {
  ArtifactReady,
  ArtifactRegistered,
  Asked,
  ClaimAnswer,
  Completed,
  GivenBack,
  HeartbeatAnswer,
  Session,
  Started
} from "../wire/Runner.ts"
import { idempotentPost, pathOf, remove } from "./Describe.ts"
import type { Request } from "./Request.ts"

/** Open a session. */
export const openSession = <Options, A = Session>(body: object, options?: Options): Request<A, Options> =>
  idempotentPost("/sessions", body, options)

/** Leave. */
export const closeSession = <Options>(id: string, options?: Options): Request<unknown, Options> =>
  remove(pathOf`/sessions/${id}`, options)

/** Wait for work and commands. */
export const claim = <Options, A = ClaimAnswer>(body: object, options?: Options): Request<A, Options> =>
  idempotentPost("/claims", body, options)

/** Extend the leases of a process. */
export const heartbeat = <Options, A = HeartbeatAnswer>(body: object, options?: Options): Request<A, Options> =>
  idempotentPost("/heartbeats", body, options)

/** Begin the work. */
export const start = <Options, A = Started>(id: string, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${id}/start`, body, options)

/** Announce a captured file. */
export const registerArtifact = <Options, A = ArtifactRegistered>(id: string, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${id}/artifacts`, body, options)

/** Show an uploaded file to callers. */
export const completeArtifact = <Options, A = ArtifactReady>({ execution_id, artifact_id }: { readonly execution_id: string; readonly artifact_id: string }, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${execution_id}/artifacts/${artifact_id}/complete`, body, options)

/** Ask the caller for a value. */
export const ask = <Options, A = Asked>(id: string, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${id}/inputs`, body, options)

/** Keep how far the work is. */
export const keepCheckpoint = <Options>(id: string, body: object, options?: Options): Request<unknown, Options> =>
  idempotentPost(pathOf`/executions/${id}/checkpoint`, body, options)

/** Report the outcome. */
export const complete = <Options, A = Completed>(id: string, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${id}/complete`, body, options)

/** Give back what was not started. */
export const giveBack = <Options, A = GivenBack>(id: string, body: object, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/executions/${id}/release`, body, options)
