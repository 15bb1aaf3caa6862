/** One HTTP request and its answer, as they come about: how far they came, and what was received until then. */
import type { AttemptPhase } from "@runhook/core/domain/Delivery"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Dispatcher } from "undici"

export interface Request {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Bytes of the answer's body to read. Where it is longer, the connection is cut. */
  readonly bodyMax: number
}

/** The end of a request, whatever it was. */
export interface Answer {
  /** How far it came; `done` when the answer was read, or cut where it grew too long. */
  readonly phase: AttemptPhase
  readonly remoteAddress: string | null
  /** Null when no answer began. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly isTruncated: boolean
  /** What went wrong, in words; null when the answer was read, whatever its status. */
  readonly error: string | null
}

export class Exchange implements Dispatcher.DispatchHandler {
  phase: AttemptPhase = "connect"
  remoteAddress: string | null = null
  /** Who is at the other end, once there is a connection; set by the client that makes it. */
  peer: { readonly address: string | null } = { address: null }
  status: number | null = null
  headers: Readonly<Record<string, string>> = {}
  isTruncated = false

  readonly #bodyMax: number
  readonly #chunks: Array<Uint8Array> = []
  readonly #head = Deferred.makeUnsafe<void, Error>()
  readonly #end = Deferred.makeUnsafe<void, Error>()
  #length = 0
  #isAbandoned = false
  #controller: Dispatcher.DispatchController | undefined

  constructor(bodyMax: number) {
    this.#bodyMax = bodyMax
  }

  /** Waits until status and headers are there. */
  get head(): Effect.Effect<void, Error> {
    return Deferred.await(this.#head)
  }

  /** Waits until the answer has been read. */
  get end(): Effect.Effect<void, Error> {
    return Deferred.await(this.#end)
  }

  get body(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }

  /** Cuts the connection. A request that waits for one will not be sent. Changes nothing about one that has ended. */
  abandon(): void {
    this.#isAbandoned = true
    this.#controller?.abort(new Error("abandoned"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.remoteAddress = this.peer.address
    if (this.#isAbandoned) this.abandon()
    else this.phase = "request"
  }

  onRequestSent(): void {
    if (this.phase === "request") this.phase = "headers"
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  ): void {
    // An interim answer, such as 103, announces the real one.
    if (status < 200) return
    this.phase = "body"
    this.status = status
    this.headers = joined(headers)
    Deferred.doneUnsafe(this.#head, Effect.void)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#bodyMax - this.#length)
    this.#chunks.push(kept)
    this.#length += kept.length
    if (kept.length === chunk.length) return
    this.isTruncated = true
    this.#finish()
    this.abandon()
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    Deferred.doneUnsafe(this.#head, Effect.fail(error))
    Deferred.doneUnsafe(this.#end, Effect.fail(error))
  }

  #finish(): void {
    this.phase = "done"
    Deferred.doneUnsafe(this.#end, Effect.void)
  }
}

const joined = (
  headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "object" ? value.join(", ") : (value ?? "")
    ])
  )
