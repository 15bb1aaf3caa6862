/** One HTTP request and its answer in progress: how far they came, and what was received so far. */
import type * as Clock from "effect/Clock"
import type { Dispatcher } from "undici"
import type { Phase, Timings } from "./Answer.ts"
import { Connection } from "./Connection.ts"
import { answerMax } from "./SizeLimits.ts"
import { Stopwatch } from "./Stopwatch.ts"
import { isDisconnect, isExcess } from "./TransportFailure.ts"

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface ExchangeOptions {
  /** Bytes of the answer's body to read. If it is longer, the connection is cut. */
  readonly bodyMax: number
  readonly clock: Clock.Clock
  /** Sends the request again over a new connection, because the kept one turned out to be closed. */
  readonly sendAgain: (exchange: Exchange) => void
  /** Status and headers are there. */
  readonly onHead: () => void
  /** The answer was read, or cut where it grew too long; or else the failure. */
  readonly onEnd: (failure: Error | null) => void
}

export class Exchange implements Dispatcher.DispatchHandler {
  phase: Phase = "connect"
  status: number | null = null
  headers: Readonly<Record<string, string>> = {}
  isTruncated = false
  /** Whether any of the request may have been sent. */
  isSent = false

  readonly #options: ExchangeOptions
  readonly #chunks: Array<Uint8Array> = []
  readonly #stopwatch: Stopwatch<"headers" | "body">
  #length = 0
  #isAbandoned = false
  #isRepeated = false
  /** Whether earlier requests used the same connection. */
  #isReuse = false
  /** Whether the answer began before the whole request was written. */
  #isEarly = false
  #bytesBefore = 0
  /** Undefined until a client has taken the request. */
  #connection: (() => Connection) | undefined
  #controller: Dispatcher.DispatchController | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#stopwatch = new Stopwatch(options.clock)
  }

  get body(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }

  get remoteAddress(): string | null {
    return this.#connection?.().address ?? null
  }

  get timings(): Timings {
    const made = this.#isReuse ? undefined : this.#connection?.().stopwatch
    return {
      dns: made?.millis("dns") ?? null,
      connect: made?.millis("connect") ?? null,
      tls: made?.millis("tls") ?? null,
      headers: this.#stopwatch.millis("headers"),
      body: this.#stopwatch.millis("body")
    }
  }

  /** Sets how to look up the connection; the client may still replace it before sending. */
  goesOver(connection: () => Connection): void {
    this.#connection = connection
  }

  /** Cuts the connection. A request that waits for one will not be sent. A no-op if it has ended. */
  abandon(): void {
    this.#isAbandoned = true
    this.#controller?.abort(new Error("abandoned"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isAbandoned) return this.abandon()
    const connection = this.#keepConnection()
    this.#isReuse = connection.requests > 0
    this.#bytesBefore = connection.bytesRead
    connection.begin(answerMax(this.#options.bodyMax))
    this.isSent = true
    this.phase = "request"
    this.#stopwatch.begin("headers")
  }

  onRequestSent(): void {
    if (this.phase === "request") this.phase = "headers"
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    const connection = this.#keepConnection()
    const begin = () => this.#beginAnswer(status, headers)
    if (!connection.isWriting) return begin()
    controller.pause()
    setImmediate(() => {
      if (connection.isClosed) return
      this.#isEarly = connection.isWriting
      if (this.#isEarly && this.#isReuse) return controller.abort(notOurs)
      begin()
      // A refusal counts at once; a success only when the receiver could have read everything.
      if (this.#isEarly && isSuccess(status)) return connection.whenWritten(() => controller.resume())
      controller.resume()
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#options.bodyMax - this.#length)
    this.#chunks.push(kept)
    this.#length += kept.length
    if (kept.length === chunk.length) return
    this.#cut()
    this.abandon()
  }

  onResponseEnd(): void {
    // What comes behind any other answer could be taken for the answer to the next request.
    if (!isSuccess(this.status) || this.#isEarly) this.#connection?.().close()
    // Nothing is left to cut, and an abort would cost an error with its stack for every request.
    this.#controller = undefined
    this.#finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error === notOurs || this.#wasTooLate(error)) return this.#repeat()
    if (this.phase === "body" && isExcess(error)) return this.#cut()
    this.#keepConnection()
    this.#stopwatch.stop()
    this.#options.onEnd(error)
  }

  /**
   * Whether the receiver seems to have closed an idle connection just when the
   * request was sent. If it answered a single byte, it may have read the request.
   */
  #wasTooLate(error: Error): boolean {
    return (
      this.#isReuse &&
      !this.#isRepeated &&
      !this.#isAbandoned &&
      isDisconnect(error) &&
      this.#connection?.().bytesRead === this.#bytesBefore
    )
  }

  #repeat(): void {
    this.#isRepeated = true
    this.#isReuse = false
    this.#isEarly = false
    this.phase = "connect"
    this.#stopwatch.stop()
    this.#options.sendAgain(this)
  }

  #beginAnswer(status: number, headers: Headers): void {
    this.phase = "body"
    this.status = status
    this.headers = joined(headers)
    this.#stopwatch.begin("body")
    this.#options.onHead()
  }

  /** The status has come, so it counts, however much follows. */
  #cut(): void {
    this.isTruncated = true
    this.#finish()
  }

  #finish(): void {
    this.phase = "done"
    this.#stopwatch.stop()
    this.#options.onEnd(null)
  }

  /** The client may make another connection for its next request. */
  #keepConnection(): Connection {
    const connection = this.#connection?.() ?? new Connection(this.#options.clock)
    this.#connection = () => connection
    return connection
  }
}

/**
 * An answer that began early on a kept connection may be a late one to an earlier request. The
 * receiver cannot have read all of this request, so it is safe to send again.
 */
const notOurs = new Error("The answer may be to another request")

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300

const joined = (headers: Headers): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    texts[name] = typeof value === "object" ? value.join(", ") : (value ?? "")
  }
  return texts
}
