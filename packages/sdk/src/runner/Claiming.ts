/** The claims of a runner: each waits for work and news, or takes along what has ended. */
import { randomUUID } from "node:crypto"
import type { Clock } from "../call/Clock.ts"
import { UnexpectedAnswerError } from "../Errors.ts"
import type { ClaimAnswer, ClaimWork, Ending, LeaseRef, News, Outcome, Session } from "../wire/Runner.ts"
import type { Calls } from "./Calls.ts"
import { type Report, Reports } from "./Reports.ts"

/** What a claim says of how things stand. */
export type Workload = Pick<ClaimWork, "draining" | "free_slots" | "in_flight">

/** Pause after something else than the service answered. */
export const strangerPauseMs = 5_000

export interface ClaimingOptions {
  readonly calls: Calls
  readonly clock: Clock
  /** How things stand, once these outcomes are told. */
  readonly workload: (told: ReadonlySet<LeaseRef>) => Workload
  readonly obey: (news: News) => void
  /** Finds the session again, with the work that it holds. */
  readonly reopen: () => Promise<Session>
  /** Ends the poll that waits, so that another claim follows. */
  readonly wake: () => void
  /** Aborts when nothing more is to be told. */
  readonly ended: AbortSignal
}

export class Claiming {
  readonly #options: ClaimingOptions
  readonly #reports = new Reports()
  /** Whether the service begins work with its claim and takes outcomes along: each of its answers says so. */
  #knowsOutcomes = false
  /** Of the claim that has not been answered yet. */
  #claimId: string | undefined
  /** The poll that waits, while one does. */
  #parked: ClaimWork | undefined
  /** The outcomes that are being told beside it. */
  #carried: ReadonlyArray<Report> = []
  #isCarrying = false

  constructor(options: ClaimingOptions) {
    this.#options = options
  }

  /** Whether the poll that waits is for news only. */
  get wantsNoWork(): boolean {
    return this.#parked?.free_slots === 0
  }

  /**
   * One claim. Until one is answered they all have its claim id, so that no work gets lost on the way.
   * `changed` cuts off a poll that waits; one that tells something is answered at once, and may bring work that has begun.
   */
  async claim(session: Session, changed: AbortSignal): Promise<ClaimAnswer> {
    const reports = this.#reports.take()
    const signal = reports.length === 0 ? changed : this.#options.ended
    const request = {
      ...this.#options.workload(new Set([...this.#carried, ...reports].map(({ lease }) => lease))),
      session_id: session.session_id,
      claim_id: (this.#claimId ??= randomUUID()),
      // Who has something to tell wants to hear at once what becomes of it, and is there to hear of work that has begun.
      // A poll that waits may be cut off, such as by a drain: what it brings then goes back, since it has not begun.
      ...(reports.length === 0
        ? { wait_ms: session.config.poll_wait_ms }
        : { wait_ms: 0, start: true, outcomes: outcomesIn(reports) })
    }
    if (reports.length === 0) this.#parked = request
    try {
      const answer = await this.#send(request, { reports, signal })
      this.#claimId = undefined
      return answer
    } catch (cause) {
      if (reports.length === 0 || signal.aborted) throw cause
      // Whatever was in its way, it may have brought work.
      return await this.claim(await this.#options.reopen(), changed)
    } finally {
      this.#parked = undefined
    }
  }

  /** Tells how work ended: along with a claim, or by itself. Gives what follows. */
  async report(lease: LeaseRef, outcome: Outcome, signal: AbortSignal): Promise<Ending> {
    const told = this.#knowsOutcomes ? this.#reports.add(lease, outcome, signal) : undefined
    if (told !== undefined) {
      // A poll without slots gives way to a claim for the slot that is free now.
      if (this.wantsNoWork) this.#options.wake()
      else if (this.#parked !== undefined) void this.#carry(this.#parked)
      const ending = await told
      if (ending !== undefined) return ending
    }
    return this.#complete(lease, outcome, signal)
  }

  async #complete(lease: LeaseRef, outcome: Outcome, signal: AbortSignal): Promise<Ending> {
    const { calls, clock } = this.#options
    for (;;) {
      try {
        return await calls.complete(lease, outcome, { signal })
      } catch (cause) {
        // Something else than the service answered: nobody has refused it.
        if (!(cause instanceof UnexpectedAnswerError)) throw cause
        await clock.sleep(strangerPauseMs, signal)
      }
    }
  }

  /** Takes outcomes along beside the poll that waits for work. */
  async #carry({ session_id }: ClaimWork): Promise<void> {
    if (this.#isCarrying) return
    this.#isCarrying = true
    await eventsHandled()
    const { ended, obey, workload } = this.#options
    for (let reports = this.#reports.take(); reports.length > 0; reports = this.#reports.take()) {
      const work = { ...workload(new Set()), in_flight: [], free_slots: 0, wait_ms: 0 }
      const request = { ...work, session_id, claim_id: randomUUID(), outcomes: outcomesIn(reports) }
      this.#carried = reports
      await this.#send(request, { reports, signal: ended }).then(obey, () => {})
      this.#carried = []
    }
    this.#isCarrying = false
  }

  /** Ended work that a claim could not tell of is told by itself, and need not wait until there can be claims again. */
  async #send(
    request: ClaimWork,
    { reports, signal }: { readonly reports: ReadonlyArray<Report>; readonly signal: AbortSignal }
  ): Promise<ClaimAnswer> {
    try {
      const answer = await this.#options.calls.claim(request, { signal })
      for (const [place, report] of reports.entries()) report.settle(answer.outcomes?.[place])
      this.#knowsOutcomes = answer.outcomes !== undefined
      return answer
    } catch (cause) {
      if (reports.length > 0) {
        // Such as by an older service, which has done nothing of it. The next answer says whether it is one.
        this.#knowsOutcomes = false
        for (const report of [...reports, ...this.#reports.takeAll()]) report.settle(undefined)
      }
      throw cause
    }
  }
}

/** After everything that goes on by itself: attempts that were answered have ended, and so has short work. */
export const eventsHandled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

const outcomesIn = (reports: ReadonlyArray<Report>): ClaimWork["outcomes"] & {} =>
  reports.map(({ body }) => body)
