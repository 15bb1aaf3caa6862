/** A session and its long poll: takes work, and follows the service's orders. */
import { NotFoundError, UnexpectedAnswerError } from "../Errors.ts"
import type { Claim, LeaseRef, News, Session, OpenSession } from "../wire/Runner.ts"
import { Attempt, type RunnerParts } from "./Attempt.ts"
import { Claiming, eventsHandled, type Workload, strangerPauseMs } from "./Claiming.ts"
import type { Handler } from "./Context.ts"
import type { Order } from "./Heartbeats.ts"
import { usable } from "./Intervals.ts"
import type { RunnerSettings } from "./Options.ts"
import { Logs } from "./Logs.ts"
import { messageOf } from "./Outcome.ts"
import { loggerOf } from "./Reporting.ts"
import { StoppedError, TaskError } from "./Stopping.ts"
import { Wakeup } from "./Wakeup.ts"

/** How long closing the session may take; after that the service notices by itself. In milliseconds. */
const leaveTimeoutMs = 5_000
/** Most work that one claim may take. */
const claimSizeMax = 100

export class RunnerLoop {
  readonly #options: RunnerParts
  readonly #attempts = new Map<Attempt, Promise<void>>()
  /** Wakes when the state in the waiting poll is out of date. */
  readonly #changed = new Wakeup()
  readonly #ended = new AbortController()
  readonly #claiming: Claiming
  readonly #logs: Logs
  #session: Session | undefined
  #isDraining = false
  #isInterrupted = false

  constructor(options: RunnerParts) {
    this.#options = options
    this.#logs = new Logs({ ...options, session: () => this.#session, ended: this.#ended.signal })
    this.#claiming = new Claiming({
      ...options,
      workload: (told) => this.#workload(told),
      obey: (news) => this.obey(news),
      reopen: () => this.#open(),
      wake: () => this.#changed.wake(),
      ended: this.#ended.signal
    })
  }

  /** Opens the session. Rejects when the service refuses this runner, or when the answer does not come from the service. */
  async open(): Promise<void> {
    await this.#open().catch((cause: unknown) => {
      if (!this.#isDone) throw cause
    })
  }

  /** Serves until drained, then leaves. Rejects when the service refuses this runner. */
  async serve(): Promise<void> {
    try {
      while (!this.#isDone) await this.#poll().catch(this.#pardon)
    } finally {
      for (const attempt of this.#working) attempt.stop(new StoppedError("lease_lost", "the runner ended"))
      await Promise.all(this.#attempts.values())
      await this.#leave()
    }
  }

  /** Takes no more work; `serve` ends when the work in flight has. */
  drain(): void {
    if (this.#isDraining) return
    this.#isDraining = true
    this.#tellChange()
  }

  /** Stops the work in flight, which may be retried. */
  interrupt(): void {
    this.#isInterrupted = true
    for (const attempt of this.#working) attempt.stop(interrupted())
  }

  obey({ commands, lost }: News): void {
    for (const lease of lost) this.#find(lease)?.stop(new StoppedError("lease_lost", "the lease was lost"))
    for (const command of commands) {
      if (command.type === "cancel") this.#find(command)?.stop(new StoppedError("cancelled", command.reason))
      if (command.type === "drain") this.drain()
      if (command.type !== "input_answered") continue
      for (const attempt of this.#working) {
        if (attempt.lease.execution_id === command.execution_id)
          attempt.answered(command.input_id, command.value)
      }
    }
  }

  /** What new heartbeats must know. */
  get orders(): ReadonlyArray<Order> {
    const session = this.#session === undefined ? [] : [sessionOrder(this.#session)]
    return [...session, ...this.#working.flatMap(({ hold }) => hold ?? [])]
  }

  get #working(): ReadonlyArray<Attempt> {
    return [...this.#attempts.keys()]
  }

  get #isDone(): boolean {
    return this.#isDraining && this.#attempts.size === 0 && !this.#claiming.mayBringWork
  }

  /** A call that was cut off at the end did not fail; a proxy's answer counts as an outage. */
  readonly #pardon = async (cause: unknown): Promise<void> => {
    if (this.#isDone) return
    if (!(cause instanceof UnexpectedAnswerError)) throw cause
    const { clock, settings } = this.#options
    settings.problem({ kind: "service_away", message: cause.message })
    await clock.sleep(strangerPauseMs, this.#changed.signal).catch(() => {})
  }

  #tellChange(): void {
    if (this.#isDone) this.#ended.abort()
    this.#changed.wake()
  }

  async #open(): Promise<Session> {
    const { calls, order, settings } = this.#options
    const origin = this.#session === undefined ? "earlier life" : "lost answer"
    // Work that ends during this call may still be in the answer.
    const known = this.#working
    const opened = await calls.openSession(introduction(settings), { signal: this.#ended.signal })
    const session = { ...opened, config: usable(opened.config) }
    const isNew = session.session_id !== this.#session?.session_id
    this.#session = session
    if (isNew) {
      order(sessionOrder(session))
      loggerOf(settings.log).info("session open", { session_id: session.session_id })
      this.#checkAgents(session)
    }
    for (const claim of session.recover) {
      if (!known.some((attempt) => attempt.isOf(claim))) this.#take(claim, origin)
    }
    return session
  }

  #checkAgents({ agents }: Session): void {
    const { agentIds = [], problem } = this.#options.settings
    const missing = agentIds.filter((id) => !agents.some((agent) => agent.id === id))
    if (missing.length > 0) {
      problem({ kind: "agents_missing", message: `no work comes for these agents: ${missing.join(", ")}` })
    } else if (agents.length === 0) {
      problem({ kind: "agents_missing", message: "the key may serve no agent" })
    }
  }

  /** One claim. It is made again until it is answered, whatever came between. */
  async #poll(): Promise<void> {
    const wasDraining = this.#isDraining
    for (;;) {
      const session = this.#session ?? (await this.#open())
      await eventsHandled()
      if (this.#isDone) return
      // An answer that the drain cut off may have brought work: it is shown again, and goes back unless it has begun.
      if (this.#isDraining && !wasDraining) {
        await this.#open()
        return
      }
      const changed = this.#changed.signal
      try {
        const answer = await this.#claiming.claim(session, changed)
        for (const claim of answer.claims) this.#take(claim, "claim")
        this.obey(answer)
        return
      } catch (cause) {
        // The service no longer knows the session: it was silent for too long.
        if (cause instanceof NotFoundError) await this.#open()
        else if (!changed.aborted || cause !== changed.reason) throw cause
      }
    }
  }

  #workload(told: ReadonlySet<LeaseRef>): Workload {
    const working = this.#working.filter(({ lease }) => !told.has(lease))
    const free = Math.max(0, this.#options.settings.capacity - working.length)
    return {
      free_slots: this.#isDraining ? 0 : Math.min(free, claimSizeMax),
      in_flight: working.filter(({ isHeld }) => isHeld).map(({ lease }) => lease),
      draining: this.#isDraining
    }
  }

  /** Begins work that is not begun yet: the repeated answer of a claim is nothing new. */
  #take(claim: Claim, from: Origin): void {
    const session = this.#session
    if (session === undefined || this.#find(claim) !== undefined) return
    const { calls, settings } = this.#options
    const { execution_id, status, task } = claim
    const hasBegun = status !== "queued"
    if (this.#isDraining && !hasBegun) {
      // Should this fail, closing the session gives it back.
      calls.giveBack(claim, "the runner stops", { signal: this.#ended.signal }).catch(() => {})
      return
    }
    const isResumed = hasBegun && from === "earlier life"
    const attempt = new Attempt({
      ...this.#options,
      claim,
      isBegun: hasBegun && from === "claim",
      isResumed,
      config: session.config,
      logs: this.#logs,
      handler: this.#handlerOf(claim, isResumed),
      failsAs: settings.handlers.has(task.slug) ? "attempt_failed" : "no_handler",
      report: (lease, outcome, signal) => this.#claiming.report(lease, { held: claim, outcome, signal })
    })
    loggerOf(settings.log, { execution_id, task: task.slug }).info("begins", { attempt: claim.attempt })
    if (this.#isInterrupted) attempt.stop(interrupted())
    this.#attempts.set(attempt, this.#perform(attempt, claim))
  }

  #handlerOf({ task: { slug } }: Claim, isResumed: boolean): Handler {
    const { handlers, recover } = this.#options.settings
    const failing = (message: string) => () => {
      throw new TaskError(message, { retryable: true })
    }
    if (isResumed && recover === "fail") return failing("the runner was restarted")
    return handlers.get(slug) ?? failing(`this runner has no handler for the task ${slug}`)
  }

  async #perform(attempt: Attempt, { execution_id, task }: Claim): Promise<void> {
    const ending = await attempt.perform()
    this.#attempts.delete(attempt)
    if (ending !== undefined) {
      loggerOf(this.#options.settings.log, { execution_id, task: task.slug }).info(`ends: ${ending}`)
    }
    if (this.#claiming.wantsNoWork || this.#isDone) this.#tellChange()
  }

  #find(lease: LeaseRef): Attempt | undefined {
    return this.#working.find((attempt) => attempt.isOf(lease))
  }

  async #leave(): Promise<void> {
    const { calls, settings } = this.#options
    if (this.#session === undefined) return
    const { session_id } = this.#session
    const { info, warn } = loggerOf(settings.log)
    await calls.closeSession(session_id, { signal: AbortSignal.timeout(leaveTimeoutMs) }).then(
      () => info("session closed", { session_id }),
      (cause: unknown) => warn(`session not closed: ${messageOf(cause)}`, { session_id })
    )
  }
}

/** Where work was found: in the answer to a claim, or held by the instance although unknown here. */
type Origin = "claim" | "earlier life" | "lost answer"

const interrupted = () => new StoppedError("stopping", "the runner stops")

const sessionOrder = ({ config: { heartbeat_ms }, session_id }: Session): Order => ({
  type: "session",
  session_id,
  heartbeat_ms
})

/** How a runner says who it is. */
export const introduction = ({
  agentIds,
  capacity,
  instanceId,
  labels,
  name,
  version
}: RunnerSettings): OpenSession => ({
  instance_id: instanceId,
  runner_name: name,
  capacity,
  agent_ids: agentIds,
  labels,
  version
})
