/** Serves executions: claims them, runs them, keeps their leases, and obeys what the service says about them. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { Attempt, type Work } from "./Attempt.ts"
import { Bell } from "./Bell.ts"
import { Refused } from "./Http.ts"
import type { Beat, Claim, ClaimRequest, LeaseRef, News, Session, SessionRequest } from "./RunnerApi.ts"
import type { RunnerClient } from "./RunnerClient.ts"

/** How long saying goodbye may take before the process goes anyway, in milliseconds. */
const leaveTimeoutMs = 5_000

export interface RunnerOptions {
  readonly client: RunnerClient
  readonly session: SessionRequest
  readonly work: Work
  readonly log: (line: string) => void
}

export class Runner {
  readonly #options: RunnerOptions
  readonly #attempts = new Map<Attempt, Promise<void>>()
  /** Rings when the parked poll no longer says how things are here. */
  readonly #changed = new Bell()
  /** Rings when the work has something to tell before the next heartbeat is due. */
  readonly #progressed = new Bell()
  readonly #ended = new AbortController()
  #isDraining = false

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Serves until drained. Rejects when the service refuses this runner. */
  async run(): Promise<void> {
    const session = await this.#open().catch((cause: unknown) => {
      if (this.#isDone) return undefined
      throw cause
    })
    // Drained before the service could be reached.
    if (session === undefined) return
    await this.#serve(session)
  }

  /** Takes no more work; `run` ends when the work in flight has. */
  drain(): void {
    this.#isDraining = true
    if (this.#isDone) this.#ended.abort()
    this.#changed.ring()
  }

  /** Drains without waiting for the work in flight: it is given up, and may be tried again. */
  interrupt(): void {
    for (const attempt of this.#attempts.keys()) attempt.interrupt("the runner was stopped")
    this.drain()
  }

  get #isDone(): boolean {
    return this.#isDraining && this.#attempts.size === 0
  }

  async #open(): Promise<Session> {
    const { client, session, log } = this.#options
    const opened = await client.openSession(session, this.#ended.signal)
    log(`session ${opened.session_id} is open for ${session.runner_name}`)
    for (const claim of opened.recover) await this.#recover(claim)
    return opened
  }

  /** Takes up what an earlier life of this process was given. What it had begun is lost: its browser is gone. */
  async #recover(claim: Claim): Promise<void> {
    if (claim.status === "queued") return this.#begin(claim)
    if (this.#find(claim)) return
    const { client, log } = this.#options
    const error = { message: "the runner was restarted", retryable: true }
    log(`${claim.execution_id} is given up: ${error.message}`)
    try {
      await client.complete(claim, { outcome: "error", error }, this.#ended.signal)
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      log(cause.message)
    }
  }

  async #serve(opened: Session): Promise<void> {
    let session = opened
    const beating = this.#keepBeating(() => session)
    try {
      while (!this.#isDone) session = await this.#poll(session)
    } finally {
      this.#ended.abort()
      for (const attempt of this.#attempts.keys()) attempt.lose("the runner ended")
      await Promise.all([beating, ...this.#attempts.values()])
      await this.#leave(session)
    }
  }

  /** One long poll. When things change here, it is asked again under the same claim id, so no claim gets lost. */
  async #poll(session: Session): Promise<Session> {
    const claimId = randomUUID()
    while (!this.#isDone) {
      const changed = this.#changed.signal
      try {
        const answer = await this.#options.client.claim(this.#claimRequest(session, claimId), changed)
        for (const claim of answer.claims) this.#begin(claim)
        this.#obey(answer, session)
        return session
      } catch (cause) {
        // The service no longer knows the session: it was silent for too long.
        if (cause instanceof Refused && cause.status === 404) return await this.#open()
        if (!changed.aborted) throw cause
      }
    }
    return session
  }

  #claimRequest({ session_id, config }: Session, claimId: string): ClaimRequest {
    return {
      session_id,
      claim_id: claimId,
      free_slots: this.#isDraining ? 0 : this.#options.session.capacity - this.#attempts.size,
      wait_ms: config.poll_wait_ms,
      in_flight: this.#held().map(({ lease }) => lease),
      draining: this.#isDraining
    }
  }

  #begin(claim: Claim): void {
    // The repeated answer of a claim is not new work.
    if (this.#find(claim)) return
    const attempt = new Attempt(claim, () => this.#progressed.ring())
    this.#options.log(`${claim.execution_id} begins: ${claim.task.slug}, attempt ${claim.attempt}`)
    this.#attempts.set(attempt, this.#perform(attempt, claim.execution_id))
  }

  async #perform(attempt: Attempt, id: string): Promise<void> {
    const { client, work, log } = this.#options
    const ending = await attempt.perform(work, client)
    this.#attempts.delete(attempt)
    log(`${id} ends: ${ending}`)
    this.#changed.ring()
  }

  async #keepBeating(current: () => Session): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const session = current()
      const { heartbeat_ms } = session.config
      const wake = AbortSignal.any([signal, this.#progressed.signal])
      await this.#beat(session, AbortSignal.any([signal, AbortSignal.timeout(heartbeat_ms)]))
      await pause(heartbeat_ms, undefined, { signal: wake }).catch(() => {})
    }
  }

  async #beat(session: Session, signal: AbortSignal): Promise<void> {
    const { client, log } = this.#options
    const held = this.#held()
    if (held.length === 0) return
    const beats = held.map(({ lease, progress }): Beat => (progress ? { ...lease, progress } : lease))
    try {
      const answer = await client.beat({ session_id: session.session_id, beats }, signal)
      for (const { execution_id, lease_ms } of answer.leases) {
        // A cancel that came meanwhile has given it another end.
        held.find(({ lease, isHeld }) => isHeld && lease.execution_id === execution_id)?.renew(lease_ms)
      }
      this.#obey(answer, session)
    } catch (cause) {
      // The next beat may do better, and a lease that runs out stops its work by itself.
      if (cause instanceof Refused) log(cause.message)
    }
  }

  #obey({ commands, lost }: News, { config }: Session): void {
    for (const lease of lost) this.#find(lease)?.lose("the service gave it to nobody or to another runner")
    for (const command of commands) {
      if (command.type === "cancel") this.#find(command)?.cancel(command.reason, config.finalize_ms)
      if (command.type === "drain") this.drain()
    }
  }

  #held(): ReadonlyArray<Attempt> {
    return [...this.#attempts.keys()].filter(({ isHeld }) => isHeld)
  }

  #find({ execution_id, epoch }: LeaseRef): Attempt | undefined {
    return [...this.#attempts.keys()].find(
      ({ lease }) => lease.execution_id === execution_id && lease.epoch === epoch
    )
  }

  async #leave({ session_id }: Session): Promise<void> {
    const { client, log } = this.#options
    await client.closeSession(session_id, AbortSignal.timeout(leaveTimeoutMs)).then(
      () => log(`session ${session_id} is closed`),
      () => log(`session ${session_id} could not be closed; the service will notice`)
    )
  }
}
