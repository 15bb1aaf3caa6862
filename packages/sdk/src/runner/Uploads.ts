/** Uploads captured files to the service. */
import type { Clock } from "../call/Clock.ts"
import { pauseMs, retryAfterMs } from "../call/Retry.ts"
import type { Held } from "../requests/Runner.ts"
import type { ArtifactFields, ArtifactRegistered } from "../wire/Runner.ts"
import type { Calls } from "./Calls.ts"
import { defaultsOf, measure, openSource } from "./Captures.ts"
import type { ArtifactSource, Artifacts, FileOptions, SavedArtifact, VideoOptions } from "./Context.ts"

/** Longest time for the upload of one file, in milliseconds. */
const uploadTimeoutMs = 600_000
const attemptsMax = 5

export interface UploadsOptions {
  readonly lease: Held
  readonly calls: Calls
  readonly clock: Clock
  readonly fetch: typeof globalThis.fetch
  readonly maxBytes: number
  /** Aborts when the service accepts no more files. */
  readonly signal: AbortSignal
  readonly onFailure: (cause: unknown) => void
}

export class Uploads implements Artifacts {
  readonly #options: UploadsOptions
  readonly #pending = new Set<Promise<SavedArtifact>>()

  constructor(options: UploadsOptions) {
    this.#options = options
  }

  readonly download: Artifacts["download"] = (source, options) => this.#begin("download", source, options)
  readonly print: Artifacts["print"] = (source, options) => this.#begin("print", source, options)
  readonly screenshot: Artifacts["screenshot"] = (source, options) =>
    this.#begin("screenshot", source, options)
  readonly video: Artifacts["video"] = (source, options) => this.#begin("video", source, options)

  /** Waits for the uploads that the work did not await. Rejects when one of them fails. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending)
  }

  #begin(
    kind: ArtifactFields["kind"],
    source: ArtifactSource,
    options: FileOptions & Partial<VideoOptions> = {}
  ): Promise<SavedArtifact> {
    const saved = this.#save({ ...defaultsOf(kind, source), ...options, kind }, source)
    this.#pending.add(saved)
    // An upload that is not awaited must not crash the process.
    saved.catch(this.#options.onFailure).finally(() => this.#pending.delete(saved))
    return saved
  }

  async #save(
    fields: Omit<ArtifactFields, "sha256" | "size_bytes">,
    source: ArtifactSource
  ): Promise<SavedArtifact> {
    const { calls, lease, maxBytes, signal } = this.#options
    const { blob, close } = await openSource(source, { maxBytes, signal })
    try {
      const measured = await measure(blob, signal)
      const { artifact_id } = await this.#send({ ...fields, ...measured }, blob)
      await calls.completeArtifact(lease, artifact_id, { signal })
      return { artifact_id, ...measured }
    } finally {
      await close()
    }
  }

  /** Registers the file again for each attempt, since the upload URL is short-lived: equal fields give the same file. */
  async #send(fields: ArtifactFields, blob: Blob): Promise<ArtifactRegistered> {
    const { calls, clock, lease, signal } = this.#options
    for (let attempt = 1; ; attempt++) {
      const registered = await calls.registerArtifact(lease, fields, { signal })
      const refused = await this.#put(registered.upload, blob)
      if (refused === undefined) return registered
      if (attempt >= attemptsMax) throw new Error(`${fields.file_name} could not be sent: ${refused.reason}`)
      await clock.sleep(pauseMs(attempt, refused.retryAfterMs, clock.random), signal)
    }
  }

  /** Sends the bytes where the service says; undefined when they were taken. */
  async #put({ headers, method, url }: ArtifactRegistered["upload"], blob: Blob) {
    const { fetch, signal } = this.#options
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers },
        body: blob,
        signal: AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs)])
      })
      await response.body?.cancel()
      if (response.ok) return undefined
      return {
        retryAfterMs: retryAfterMs(response.headers),
        reason: `the storage answered ${response.status}`
      }
    } catch {
      signal.throwIfAborted()
      // The words of the failure may hold the signed URL.
      return { retryAfterMs: null, reason: "the storage could not be reached" }
    }
  }
}
