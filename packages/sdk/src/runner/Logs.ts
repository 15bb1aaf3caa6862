/**
 * Sends what handlers log: once a second in a heartbeat of its own, for all attempts together, and the rest with
 * their outcomes. Lines are numbered, and sent again until they are answered.
 */
import type { Clock } from "../call/Clock.ts"
import { InvalidRequestError } from "../Errors.ts"
import type { LeaseRef, LogLevel, SaidLine } from "../wire/Runner.ts"
import type { Calls } from "./Calls.ts"
import { shortened } from "./Outcome.ts"

/** Lines that wait for the service, of one attempt; beyond them the oldest are dropped. The service keeps as many. */
const waitingMax = 1_000
/** Lines of one attempt in a request, and bytes of all messages in it. */
const linesMax = 200
const bytesMax = 48 * 1_024
/** Bytes that go along with an outcome. */
const lastBytesMax = 8 * 1_024
const messageLengthMax = 4_096
const pauseMs = 1_000

interface Line extends Pick<SaidLine, "level" | "message"> {
  readonly number: number
  /** When it was written, by this machine's clock. */
  readonly at: number
}

interface Log {
  readonly lease: LeaseRef
  readonly lines: Array<Line>
  last: number
}

export interface LogsOptions {
  readonly calls: Pick<Calls, "heartbeat">
  readonly clock: Clock
  readonly session: () => { readonly session_id: string } | undefined
  /** Aborts when nothing more can be sent. */
  readonly ended: AbortSignal
}

export class Logs {
  readonly #options: LogsOptions
  readonly #logs = new Map<LeaseRef, Log>()
  #isPlanned = false
  #sending = Promise.resolve(true)

  constructor(options: LogsOptions) {
    this.#options = options
  }

  add(lease: LeaseRef, level: LogLevel, message: string): void {
    const log = this.#logs.get(lease) ?? { lease, lines: [], last: 0 }
    this.#logs.set(lease, log)
    const at = this.#options.clock.now()
    log.lines.push({ level, message: shortened(message, messageLengthMax), number: ++log.last, at })
    if (log.lines.length > waitingMax) log.lines.shift()
    this.#plan()
  }

  /** The last lines of an attempt, for its outcome. Sends those that are too many for it before. */
  async take(lease: LeaseRef): Promise<ReadonlyArray<SaidLine> | undefined> {
    const log = this.#logs.get(lease)
    if (log === undefined) return undefined
    while (sizeOf(log.lines) > lastBytesMax && (await this.#send()));
    this.#logs.delete(lease)
    const lines = log.lines.slice(-linesMax)
    while (sizeOf(lines) > lastBytesMax) lines.shift()
    return lines.length === 0 ? undefined : this.#said(lines)
  }

  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    this.#options.clock.after(pauseMs, () => {
      this.#isPlanned = false
      void this.#sendPlanned()
    })
  }

  async #sendPlanned(): Promise<void> {
    await this.#send()
    if ([...this.#logs.values()].some(({ lines }) => lines.length > 0)) this.#plan()
  }

  /** One request after the other. Resolves whether the service has answered. */
  #send(): Promise<boolean> {
    this.#sending = this.#sending.then(() => this.#sendNow())
    return this.#sending
  }

  async #sendNow(): Promise<boolean> {
    const { calls, ended, session } = this.#options
    const open = session()
    const told = this.#next()
    if (open === undefined || told.length === 0) return false
    const beats = told.map(({ lease, lines }) => ({ ...lease, logs: this.#said(lines) }))
    try {
      await calls.heartbeat({ session_id: open.session_id, beats }, { retries: 0, signal: ended })
    } catch (cause) {
      // What the service refuses it would refuse again.
      if (!(cause instanceof InvalidRequestError)) return false
    }
    for (const { lease, lines } of told) {
      const log = this.#logs.get(lease)
      const sent = lines.at(-1)?.number ?? 0
      log?.lines.splice(0, log.lines.filter(({ number }) => number <= sent).length)
    }
    return true
  }

  /** The oldest lines of all attempts, as many as one request may have. */
  #next(): ReadonlyArray<Pick<Log, "lease" | "lines">> {
    let left = bytesMax
    return [...this.#logs.values()].flatMap(({ lease, lines }) => {
      const fit = lines.slice(0, linesMax).filter((line) => (left -= sizeOf([line])) >= 0)
      return fit.length === 0 ? [] : [{ lease, lines: fit }]
    })
  }

  #said(lines: ReadonlyArray<Line>): ReadonlyArray<SaidLine> {
    const now = this.#options.clock.now()
    return lines.map(({ at, ...line }) => ({ ...line, age_ms: Math.round(Math.min(3_600_000, now - at)) }))
  }
}

const sizeOf = (lines: ReadonlyArray<Pick<Line, "message">>): number =>
  lines.reduce((sum, { message }) => sum + Buffer.byteLength(message) + 80, 0)
