/** One execution in this runner's hands, from its claim to its end. */
import { setTimeout as pause } from "node:timers/promises"
import { Refused } from "./Http.ts"
import type { Claim, JsonObject, LeaseRef, Outcome, Progress } from "./RunnerApi.ts"
import type { Capture, RunnerClient } from "./RunnerClient.ts"

/** Longest error message the service takes. */
const messageLengthMax = 4_000

/** What the work gets to know and may do. */
export interface Job {
  readonly params: JsonObject
  /** Aborts when the work must stop; it then rejects as soon as it can. */
  readonly signal: AbortSignal
  report(progress: Progress): void
  /** Keeps a file for the execution's artifacts, also when the work is stopped later. */
  capture(file: Capture): void
}

export type Work = (job: Job) => Promise<JsonObject>

/** Why work was stopped before its own end. */
export class Stopped extends Error {
  override readonly name = "Stopped"
}

export class Attempt {
  readonly lease: LeaseRef
  readonly #claim: Claim
  readonly #onProgress: () => void
  readonly #work = new AbortController()
  readonly #write = new AbortController()
  #renewal = new AbortController()
  readonly #captures: Array<Capture> = []
  #isCancelled = false
  #progress: Progress | undefined

  constructor(claim: Claim, onProgress: () => void) {
    this.lease = { execution_id: claim.execution_id, epoch: claim.epoch }
    this.#claim = claim
    this.#onProgress = onProgress
    this.renew(claim.lease_ms)
  }

  /** What the next heartbeat tells. */
  get progress(): Progress | undefined {
    return this.#progress
  }

  /** Whether the right to run is still believed to be held. */
  get isHeld(): boolean {
    return !this.#isCancelled && !this.#write.signal.aborted
  }

  /** The service will take this attempt's writes for that long. Without another renewal they then end. */
  renew(forMs: number): void {
    this.#renewal.abort()
    const renewal = new AbortController()
    this.#renewal = renewal
    pause(forMs, undefined, { signal: renewal.signal, ref: false }).then(
      () => this.lose("the service was not reached in time"),
      () => {}
    )
  }

  /** Stops the work for its caller; what it captured may still be delivered for `finalizeMs`. */
  cancel(reason: string, finalizeMs: number): void {
    if (this.#isCancelled) return
    this.#isCancelled = true
    this.renew(finalizeMs)
    this.interrupt(`cancelled: ${reason}`)
  }

  /** Stops the work; nothing can be written any more. */
  lose(reason: string): void {
    this.interrupt(`lease lost: ${reason}`)
    this.#write.abort(new Stopped(`lease lost: ${reason}`))
  }

  /** Stops the work because this process must end; the execution may be tried again elsewhere. */
  interrupt(reason: string): void {
    this.#work.abort(new Stopped(reason))
  }

  /** Runs the work and tells the service how it ended. Never rejects; answers how it went, for the log. */
  async perform(work: Work, client: RunnerClient): Promise<string> {
    const { signal } = this.#write
    try {
      const { lease_ms } = await client.start(this.lease, signal)
      this.renew(lease_ms)
      const worked = await this.#run(work)
      const outcome = await this.#upload(client).then(
        () => worked,
        (cause: unknown) => uploadFailure(cause, worked)
      )
      // A caller's cancel has already ended the execution.
      if (this.#isCancelled) return "cancelled"
      await client.complete(this.lease, outcome, signal)
      return outcome.outcome === "error" ? outcome.error.message : outcome.outcome
    } catch (cause) {
      return messageOf(cause)
    } finally {
      this.#renewal.abort()
    }
  }

  async #run(work: Work): Promise<Outcome> {
    const { signal } = this.#work
    try {
      signal.throwIfAborted()
      const result = await work({
        params: this.#claim.params,
        signal,
        report: (progress) => {
          this.#progress = progress
          this.#onProgress()
        },
        capture: (file) => {
          this.#captures.push(file)
        }
      })
      return { outcome: "completed", result }
    } catch (cause) {
      return failure(cause)
    }
  }

  async #upload(client: RunnerClient): Promise<void> {
    for (const file of this.#captures) await client.upload(this.lease, file, this.#write.signal)
  }
}

/** A file the service does not take fails work that went well; a lost lease leaves nothing to say. */
const uploadFailure = (cause: unknown, worked: Outcome): Outcome => {
  if (cause instanceof Refused && cause.isLeaseLost) throw cause
  return worked.outcome === "error" ? worked : failure(cause)
}

/** An interrupted runner says nothing about the work: another try may well succeed. */
const failure = (cause: unknown): Outcome => ({
  outcome: "error",
  error: { message: messageOf(cause), retryable: cause instanceof Stopped }
})

/** The first line: the browser driver's messages go on with a log. */
const messageOf = (cause: unknown): string => {
  const [line] = (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)
  return line?.slice(0, messageLengthMax) || "failed without a message"
}
