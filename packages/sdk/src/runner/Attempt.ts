/** One execution held by a runner, from its claim to its end. */
import type { Clock } from "../call/Clock.ts"
import { ApiError } from "../Errors.ts"
import type { Json } from "../wire/Integration.ts"
import type { Claim, Ending, LeaseRef, LogLevel, Outcome, Progress, SessionConfig } from "../wire/Runner.ts"
import type { Calls } from "./Calls.ts"
import { Checkpoints } from "./Checkpoints.ts"
import type { Handler, HandlerContext } from "./Context.ts"
import type { Order } from "./Heartbeats.ts"
import { againIn, endOf, type Reported, stopOf } from "./EndingWords.ts"
import type { RunnerSettings } from "./Options.ts"
import type { Logs } from "./Logs.ts"
import { messageOf, outcomeOfFailure, outcomeOfResult, shortened } from "./Outcome.ts"
import { Questions } from "./Questions.ts"
import { loggerOf, type ProblemKind, type RunnerProblem } from "./Reporting.ts"
import { StoppedError, type StopKind, TaskCancelled, TaskError } from "./Stopping.ts"
import { Uploads } from "./Uploads.ts"

/** The parts of a runner that an attempt uses. */
export interface RunnerParts {
  readonly settings: RunnerSettings
  readonly calls: Calls
  readonly clock: Clock
  /** Gives an order to the heartbeats. */
  readonly order: (order: Order) => void
}

export interface AttemptOptions extends RunnerParts {
  readonly claim: Claim
  /** Whether it was started by the claim. */
  readonly isBegun: boolean
  /** Whether an earlier process of this instance had started it. */
  readonly isResumed: boolean
  readonly config: SessionConfig
  readonly handler: Handler
  /** The outcome if the handler throws. */
  readonly failsAs: ProblemKind
  readonly logs: Logs
  /** Reports the outcome, and returns what follows. */
  readonly report: (lease: LeaseRef, outcome: Outcome, signal: AbortSignal) => Promise<Ending>
}

export class Attempt {
  readonly lease: LeaseRef
  readonly #options: AttemptOptions
  /** Aborts when the work must stop. */
  readonly #work = new AbortController()
  /** Aborts when the service accepts nothing more from this attempt. */
  readonly #write = new AbortController()
  readonly #questions: Questions
  readonly #uploads: Uploads
  readonly #checkpoints: Checkpoints
  #leaseMs: number | undefined
  #stopped: StopKind | undefined
  /** Whether a call that ends the lease is in progress. */
  #isParting = false
  /** What the handler threw. */
  #failure: { readonly cause: unknown } | undefined
  readonly #forgetTimers: Array<() => void> = []

  constructor(options: AttemptOptions) {
    const { claim, config, isBegun, settings } = options
    this.lease = { execution_id: claim.execution_id, epoch: claim.epoch }
    this.#leaseMs = isBegun ? claim.lease_ms : undefined
    this.#options = options
    this.#questions = new Questions({
      ...options,
      signal: this.#work.signal,
      onReleased: (reason) => this.stop(reason)
    })
    this.#uploads = new Uploads({
      ...options,
      lease: claim,
      fetch: settings.fetch ?? globalThis.fetch,
      maxBytes: config.max_artifact_bytes,
      signal: this.#write.signal,
      onFailure: this.#unkept("upload_failed", "a file")
    })
    this.#checkpoints = new Checkpoints({
      ...options,
      lease: claim,
      signal: this.#write.signal,
      onFailure: this.#unkept("checkpoint_failed", "a checkpoint")
    })
  }

  /** Whether the lease is believed to be held. */
  get isHeld(): boolean {
    return this.#stopped === undefined || this.#stopped === "stopping"
  }

  /** Whether this is the attempt that the lease is for. */
  isOf({ epoch, execution_id }: LeaseRef): boolean {
    return this.lease.execution_id === execution_id && this.lease.epoch === epoch
  }

  /** What new heartbeats must know of it; undefined before its start. */
  get hold(): Order | undefined {
    return this.#leaseMs === undefined || !this.isHeld
      ? undefined
      : { type: "hold", lease: this.lease, lease_ms: this.#leaseMs }
  }

  answered(inputId: string, value: Json): void {
    this.#questions.answered(inputId, value)
  }

  /** Stops the work. The first reason counts, except that a lost lease overrides it. */
  stop(reason: StoppedError): void {
    const { clock, config, order } = this.#options
    const isLost = reason.kind === "lease_lost"
    // The lease ends with a call whose answer is still to come.
    if (isLost ? this.#isParting : !this.isHeld) return
    if (isLost && this.isHeld) this.#problem("lease_lost", reason.message)
    this.#stopped = reason.kind
    if (!this.isHeld) order({ type: "drop", lease: this.lease })
    if (reason.kind === "cancelled") {
      this.#forgetTimers.push(clock.after(config.finalize_ms, () => this.#write.abort(reason)))
    } else if (reason.kind !== "stopping" || this.#leaseMs === undefined) {
      // Work that was not started goes back with the session.
      this.#write.abort(reason)
    }
    this.#work.abort(reason)
  }

  /** Runs the handler and reports how it ended. Never rejects; gives how it went, unless the log says so already. */
  async perform(): Promise<string | undefined> {
    const { calls, claim, order } = this.#options
    const { signal } = this.#write
    try {
      const lease_ms = this.#leaseMs ?? (await calls.start(claim, { signal })).lease_ms
      this.#leaseMs = lease_ms
      if (this.isHeld) order({ type: "hold", lease: this.lease, lease_ms })
      const outcome = await this.#outcome()
      let reported: Reported | undefined
      let again = ""
      try {
        if (this.isHeld) reported = await this.#part(() => this.#report(outcome))
        again = againIn(reported?.ending)
      } finally {
        if (this.#failure !== undefined) this.#tell(this.#failure, again)
      }
      if (reported === undefined) return stopOf(this.#work.signal.reason)
      return this.#failure !== undefined && again !== "" ? undefined : endOf(reported)
    } catch (cause) {
      return stopOf(this.isHeld ? cause : this.#work.signal.reason)
    } finally {
      order({ type: "drop", lease: this.lease })
      for (const forget of this.#forgetTimers) forget()
      // Nothing that the handler left behind may write on.
      this.#write.abort(new StoppedError("lease_lost", "the attempt is over"))
    }
  }

  async #outcome(): Promise<Outcome> {
    const { signal } = this.#work
    try {
      signal.throwIfAborted()
      const { handler } = this.#options
      const result = await Promise.race([handler(this.#context()), this.#overdue()])
      await this.#uploads.settled()
      await this.#checkpoints.settled()
      return outcomeOfResult(result)
    } catch (cause) {
      await this.#uploads.settled().catch(() => {})
      await this.#checkpoints.settled()
      // What is thrown after an abort is most often its echo.
      const isOwn = cause instanceof TaskError || cause instanceof TaskCancelled || !signal.aborted
      if (isOwn && !(cause instanceof TaskCancelled)) this.#failure = { cause }
      return outcomeOfFailure(isOwn ? cause : signal.reason)
    }
  }

  /** Rejects when the handler has had its time to obey the signal. */
  #overdue(): Promise<never> {
    const { clock, config } = this.#options
    const { signal } = this.#work
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        const give = () => {
          this.#problem(
            "abort_ignored",
            `the handler went on after it was to stop: ${messageOf(signal.reason)}`
          )
          reject(signal.reason)
        }
        this.#forgetTimers.push(clock.after(config.cancel_grace_ms, give))
      })
    })
  }

  /** The runner's author sees the cause only here: the service gets the message alone. */
  #tell({ cause }: { readonly cause: unknown }, again: string): void {
    const { claim, failsAs } = this.#options
    const { attempt } = claim
    this.#problem(failsAs, `attempt ${attempt} failed${again}: ${messageOf(cause)}`, { attempt, cause })
  }

  async #report(outcome: Outcome): Promise<Reported> {
    const { report } = this.#options
    const { signal } = this.#write
    try {
      const logs = await this.#options.logs.take(this.lease)
      const whole = logs === undefined ? outcome : { ...outcome, logs }
      return { outcome, ending: await report(this.lease, whole, signal) }
    } catch (cause) {
      if (signal.aborted || isLeaseLost(cause)) throw cause
      // The caller must hear of work whose result cannot be reported.
      const message = `the outcome was refused: ${messageOf(cause)}`
      this.#problem("outcome_refused", message)
      const refused: Outcome = { outcome: "error", error: { message, retryable: false } }
      return { outcome: refused, ending: await report(this.lease, refused, signal) }
    }
  }

  async #part<A>(say: () => Promise<A>): Promise<A> {
    this.#isParting = true
    try {
      return await say()
    } finally {
      this.#isParting = false
    }
  }

  /** Reports what the service did not keep, unless it keeps nothing more. */
  #unkept(kind: ProblemKind, what: string) {
    return (cause: unknown): void => {
      if (!this.#write.signal.aborted) this.#problem(kind, `${what} was not kept: ${messageOf(cause)}`)
    }
  }

  #problem(kind: ProblemKind, message: string, failed: Pick<RunnerProblem, "attempt" | "cause"> = {}): void {
    const { claim, settings } = this.#options
    settings.problem({ kind, message, execution_id: claim.execution_id, task: claim.task.slug, ...failed })
  }

  #say(level: LogLevel) {
    return (message: string): void => {
      if (this.isHeld) this.#options.logs.add(this.lease, level, message)
    }
  }

  #context(): HandlerContext {
    const { claim, isResumed, order, settings } = this.#options
    const { checkpoint = null, epoch: _epoch, lease_ms: _leaseMs, status: _status, ...given } = claim
    return {
      ...given,
      traceparent: claim.traceparent ?? null,
      input_answer: claim.input_answer ?? null,
      last_checkpoint: checkpoint,
      is_resumed: isResumed,
      signal: this.#work.signal,
      progress: (progress) => order({ type: "progress", lease: this.lease, progress: tidy(progress) }),
      checkpoint: (value) => this.#checkpoints.keep(value),
      ask: (question) =>
        question.mode === "release"
          ? this.#part(() => this.#questions.ask(question))
          : this.#questions.ask(question),
      artifacts: this.#uploads,
      log: {
        debug: this.#say("debug"),
        info: this.#say("info"),
        warn: this.#say("warn"),
        error: this.#say("error")
      },
      logger: loggerOf(settings.log, { execution_id: claim.execution_id, task: claim.task.slug })
    }
  }
}

/** Within the service's bounds, since it is not worth failing for. */
const tidy = ({ message, percent = NaN, step }: Progress): Progress => ({
  percent: Number.isNaN(percent) ? undefined : Math.min(100, Math.max(0, percent)),
  message: message && shortened(message, 1_000),
  step: step && shortened(step, 200)
})

const isLeaseLost = (cause: unknown): boolean =>
  cause instanceof ApiError && Object(cause.details).reason === "lease_lost"
