/** The claims of a runner: each waits for work and news, or reports outcomes. */
import type { Clock } from "../call/Clock.ts"
import { InvalidRequestError, UnexpectedAnswerError } from "../Errors.ts"
import type { ClaimAnswer, ClaimWork, Ending, LeaseRef, News, Outcome, Session } from "../wire/Runner.ts"
import type { Held } from "../requests/Runner.ts"
import type { Calls } from "./Calls.ts"
import { type Report, Reports } from "./Reports.ts"

/** The state of the runner, as a claim reports it. */
export type Workload = Pick<ClaimWork, "draining" | "free_slots" | "in_flight">

/** How long to wait for a poll that may bring work after asking it to end, in milliseconds. */
const farewellMs = 5_000

/** The pause after an answer that does not come from the service. */
export const strangerPauseMs = 5_000

export interface ClaimingOptions {
  readonly calls: Calls
  readonly clock: Clock
  /** The state of the runner, once these outcomes are reported. */
  readonly workload: (told: ReadonlySet<LeaseRef>) => Workload
  readonly obey: (news: News) => void
  /** Opens the session again, with the work it holds. */
  readonly reopen: () => Promise<Session>
  /** Ends the poll that waits, so that another claim follows. */
  readonly wake: () => void
  /** Aborts when there is nothing more to report. */
  readonly ended: AbortSignal
}

interface Told {
  /** The work, of whose trace the report is when it goes alone. */
  readonly held: Held
  readonly outcome: Outcome
  readonly signal: AbortSignal
}

export class Claiming {
  readonly #options: ClaimingOptions
  readonly #reports = new Reports()
  /** Whether the service supports starts and outcomes in claims: each of its answers says so. */
  #knowsOutcomes = false
  /** The id of the claim without an answer so far. */
  #claimId: string | undefined
  /** The waiting poll, if any. */
  #parked: ClaimWork | undefined
  /** The outcomes that are being reported beside it. */
  #carried: ReadonlyArray<Report> = []
  #isCarrying = false

  constructor(options: ClaimingOptions) {
    this.#options = options
  }

  /** Whether the waiting poll is for news only. */
  get wantsNoWork(): boolean {
    return this.#parked?.free_slots === 0
  }

  /** Whether the waiting poll may bring work that is already started. */
  get mayBringWork(): boolean {
    return this.#parked?.start === true
  }

  /**
   * One claim. Until one is answered they all have its claim id, so that no work gets lost on the way. Its work begins
   * with it, so its maker hears its answer: `changed` cuts off a poll only when it cannot bring any, or is not
   * answered although the service was asked to.
   */
  async claim(session: Session, changed: AbortSignal): Promise<ClaimAnswer> {
    const { calls, clock, ended, obey, reopen, workload } = this.#options
    const reports = this.#reports.take()
    const isTelling = reports.length > 0
    const work = workload(new Set([...this.#carried, ...reports].map(({ lease }) => lease)))
    const begins = isTelling || (this.#knowsOutcomes && work.free_slots > 0)
    const request = {
      ...work,
      session_id: session.session_id,
      claim_id: (this.#claimId ??= crypto.randomUUID()),
      ...(begins && { start: true }),
      // A claim with outcomes is answered at once.
      ...(isTelling
        ? { wait_ms: 0, outcomes: outcomesIn(reports) }
        : { wait_ms: session.config.poll_wait_ms })
    }
    if (!isTelling) this.#parked = request
    const cut = new AbortController()
    const signal = isTelling ? ended : begins ? cut.signal : changed
    let forget = () => {}
    const end = () => {
      forget = clock.after(farewellMs, () => cut.abort(changed.reason))
      // The service answers the poll that waits.
      calls
        .claim({ ...this.#aside(session.session_id), wait_ms: 1 }, { signal: cut.signal })
        .then(obey, () => {})
    }
    if (this.mayBringWork && changed.aborted) end()
    else if (this.mayBringWork) changed.addEventListener("abort", end, { once: true, signal: cut.signal })
    try {
      const answer = await this.#send(request, { reports, signal })
      this.#claimId = undefined
      return answer
    } catch (cause) {
      if (signal.aborted) throw cause
      // Whatever failed, the claim may have brought work.
      if (isTelling) return await this.claim(await reopen(), changed)
      if (!begins || !(cause instanceof InvalidRequestError)) throw cause
      // An older process of the service does not know that work may begin with its claim.
      this.#knowsOutcomes = false
      return await this.claim(session, changed)
    } finally {
      this.#parked = undefined
      forget()
      cut.abort()
    }
  }

  /** A claim beside the waiting one, which takes no work. */
  #aside(session_id: string): ClaimWork {
    return { ...this.#options.workload(new Set()), free_slots: 0, session_id, claim_id: crypto.randomUUID() }
  }

  /** Tells how work ended: along with a claim, or by itself. Gives what follows. */
  async report(lease: LeaseRef, { held, outcome, signal }: Told): Promise<Ending> {
    const told = this.#knowsOutcomes ? this.#reports.add(lease, outcome, signal) : undefined
    if (told !== undefined) {
      // A poll without slots gives way to a claim for the slot that is free now.
      if (this.wantsNoWork) this.#options.wake()
      // A poll that is about to end may still take what goes back with this outcome: the claim after it tells.
      else if (this.#parked && !this.#options.workload(new Set()).draining) void this.#carry(this.#parked)
      const ending = await told
      if (ending !== undefined) return ending
    }
    return this.#complete(held, outcome, signal)
  }

  async #complete(lease: Held, outcome: Outcome, signal: AbortSignal): Promise<Ending> {
    const { calls, clock } = this.#options
    for (;;) {
      try {
        return await calls.complete(lease, outcome, { signal })
      } catch (cause) {
        // The answer does not come from the service, so nothing was refused.
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
    const { ended, obey } = this.#options
    for (let reports = this.#reports.take(); reports.length > 0; reports = this.#reports.take()) {
      const request = { ...this.#aside(session_id), in_flight: [], wait_ms: 0, outcomes: outcomesIn(reports) }
      this.#carried = reports
      await this.#send(request, { reports, signal: ended }).then(obey, () => {})
      this.#carried = []
    }
    this.#isCarrying = false
  }

  /** An outcome that could not go with a claim is sent on its own, without waiting for the next claim. */
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
