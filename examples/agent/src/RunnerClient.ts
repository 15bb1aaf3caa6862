/** A thin client of the runner API. Calls end when they are answered, refused, or their signal aborts. */
import { createHash } from "node:crypto"
import { send } from "./Http.ts"
import type {
  ArtifactRequest,
  ArtifactUpload,
  Beat,
  BeatAnswer,
  ClaimAnswer,
  ClaimRequest,
  LeaseRef,
  Outcome,
  Session,
  SessionRequest
} from "./RunnerApi.ts"

const callTimeoutMs = 15_000
const uploadTimeoutMs = 300_000

/** A file the work captured. */
export interface Capture extends Omit<ArtifactRequest, "size_bytes" | "sha256"> {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export class RunnerClient {
  readonly #root: string
  readonly #key: string

  constructor(options: { /** Where the service listens. */ readonly url: string; readonly key: string }) {
    this.#root = new URL("/api/v1/runner", options.url).href
    this.#key = options.key
  }

  openSession(request: SessionRequest, signal: AbortSignal): Promise<Session> {
    return this.#post("/sessions", request, { signal })
  }

  /** The one long poll: gives work, gives commands, and shows that this runner lives. */
  claim(request: ClaimRequest, signal: AbortSignal): Promise<ClaimAnswer> {
    return this.#post("/claims", request, { signal, timeoutMs: request.wait_ms + callTimeoutMs })
  }

  beat(
    request: { session_id: string; beats: ReadonlyArray<Beat> },
    signal: AbortSignal
  ): Promise<BeatAnswer> {
    return this.#post("/heartbeats", request, { signal })
  }

  start({ execution_id, epoch }: LeaseRef, signal: AbortSignal): Promise<{ readonly lease_ms: number }> {
    return this.#post(`/executions/${execution_id}/start`, { epoch }, { signal })
  }

  /** Registers a file, sends its bytes where the service says, and has them checked. */
  async upload(
    { execution_id, epoch }: LeaseRef,
    { bytes, ...file }: Capture,
    signal: AbortSignal
  ): Promise<void> {
    const artifacts = `/executions/${execution_id}/artifacts`
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const request = { epoch, ...file, size_bytes: bytes.byteLength, sha256 }
    const { artifact_id, upload } = await this.#post<ArtifactUpload>(artifacts, request, { signal })
    const sent = await send({ ...upload, body: bytes, timeoutMs: uploadTimeoutMs }, signal)
    await sent.body?.cancel()
    await this.#post(`${artifacts}/${artifact_id}/complete`, { epoch }, { signal })
  }

  async complete({ execution_id, epoch }: LeaseRef, outcome: Outcome, signal: AbortSignal): Promise<void> {
    await this.#post(`/executions/${execution_id}/complete`, { epoch, ...outcome }, { signal })
  }

  async closeSession(sessionId: string, signal: AbortSignal): Promise<void> {
    const headers = { authorization: `Bearer ${this.#key}` }
    const url = `${this.#root}/sessions/${sessionId}`
    await send({ method: "DELETE", url, headers, timeoutMs: callTimeoutMs }, signal)
  }

  async #post<Answer>(
    path: string,
    body: object,
    { signal, timeoutMs = callTimeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs?: number }
  ): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" }
    const call = { method: "POST", url: this.#root + path, headers, body: JSON.stringify(body), timeoutMs }
    const response = await send(call, signal)
    // The one place where the service's word on the form of its answers is taken.
    return (await response.json()) as Answer
  }
}
