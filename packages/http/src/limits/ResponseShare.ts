/** What one request uses of the response budget, until its answer was handed over or its caller has gone. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { errorAnswerTo } from "../errors/ErrorAnswer.ts"
import { refusal } from "./RateLimited.ts"
import { type Owner, type ResponseBudget, smallAnswerBytes } from "./ResponseBudget.ts"

type Answer = HttpServerResponse.HttpServerResponse

export class ResponseShare {
  readonly #budget: ResponseBudget
  /** Of the request. */
  readonly #id: string
  readonly #scope: Scope.Scope
  #owner: Owner | undefined
  /** What its answer counts at least. */
  #least = 0
  #bytes = 0

  constructor(options: {
    readonly budget: ResponseBudget
    readonly id: string
    readonly scope: Scope.Scope
  }) {
    this.#budget = options.budget
    this.#id = options.id
    this.#scope = options.scope
  }

  /** Says who owns the answer. An answer that everybody may see has no owner, and uses nothing. */
  own(owner: Owner): void {
    this.#owner = owner
  }

  /** Does what costs much in the turn of its owner; fails with a 429 if too many wait, or if this waited too long. */
  read<A, E, R>(work: Effect.Effect<A, E, R>) {
    return Effect.flatMap(
      this.#inTurn(work),
      Option.match({ onNone: () => this.#tooManyReads, onSome: Effect.succeed })
    )
  }

  /** Reads a piece of an answer that has begun, and so cannot be refused any more. */
  readOn<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const again = Effect.suspend(() => this.readOn(work))
    return Effect.flatMap(
      this.#inTurn(work),
      Option.match({ onNone: () => Effect.delay(again, "1 second"), onSome: Effect.succeed })
    )
  }

  /** What the handler answers, or 429 before it does anything: without room, its result could not be reported. */
  withRoom<A, E, R>(
    handler: Effect.Effect<A, E, R>,
    bytes = smallAnswerBytes
  ): Effect.Effect<A | Answer, E, R> {
    return Effect.suspend((): Effect.Effect<A | Answer, E, R> =>
      this.#hasRoom(bytes) ? handler : Effect.succeed(this.#tooManyBytes)
    )
  }

  /** An answer that is read piece by piece, and counts so many bytes at least until its end; 429 if there is no room. */
  begin<A, E, R>(bytes: number, answer: Effect.Effect<A, E, R>): Effect.Effect<A | Answer, E, R> {
    return this.withRoom(Effect.andThen(this.#hold(bytes), answer), bytes)
  }

  /** An answer whose pieces are sent one by one, each when the caller has read the one before, and as fast as its owner may. */
  stream<E>(
    pieces: Stream.Stream<Uint8Array, E>,
    options: HttpServerResponse.Options
  ): Effect.Effect<Answer> {
    const answer = HttpServerResponse.stream(this.#sent(pieces), options)
    return Effect.as(this.#hold(this.#least), answer)
  }

  /**
   * An answer as a whole, counted if it is large, or 429. An answer that reports a change is sent in any case: a caller
   * that reads 429 believes that nothing happened.
   */
  whole(answer: Answer, method: string): Effect.Effect<Answer> {
    const { body } = answer
    if (body._tag !== "Uint8Array" || this.#counted(body.contentLength) === 0) return Effect.succeed(answer)
    const isRepeatable = method === "GET" || method === "HEAD"
    if (isRepeatable && !this.#hasRoom(body.contentLength)) return Effect.succeed(this.#tooManyBytes)
    // A request ends with its stream once that is sent; with bytes it ends as soon as they are in the socket.
    const streamed = HttpBody.stream(
      this.#sent(Stream.succeed(body.body)),
      body.contentType,
      body.contentLength
    )
    return Effect.as(this.#hold(body.contentLength), HttpServerResponse.setBody(answer, streamed))
  }

  get #tooManyReads() {
    const limit = this.#budget.limits.reading.waitingMax
    return refusal(
      "Too many lists and counts of this account wait for each other",
      { limit, retrySeconds: 1 },
      { reason: "too_many_reads" }
    )
  }

  get #tooManyBytes(): Answer {
    return errorAnswerTo(this.#id, {
      status: 429,
      message: "Too many large answers to this account are under way: read those first",
      details: { reason: "large_answers", limit: this.#budget.limits.inFlight.account }
    })
  }

  #inTurn<A, E, R>(work: Effect.Effect<A, E, R>) {
    return this.#owner === undefined ? Effect.asSome(work) : this.#budget.read(this.#owner, work)
  }

  #hasRoom(bytes: number): boolean {
    return this.#owner === undefined || this.#budget.hasRoom(this.#owner, bytes)
  }

  /** The bytes that count, of so many. */
  #counted(bytes: number): number {
    return this.#owner !== undefined && bytes > smallAnswerBytes ? bytes : 0
  }

  /** Counts at least so many bytes until the request ends, whether or not there is room. */
  #hold(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#least = bytes
      this.#resize(bytes)
      return Scope.addFinalizer(
        this.#scope,
        Effect.sync(() => {
          this.#resize(0)
          this.#owner = undefined
        })
      )
    })
  }

  #sent<E>(pieces: Stream.Stream<Uint8Array, E>) {
    return Stream.mapArrayEffect(pieces, (some) => {
      const bytes = some.reduce((sum, { length }) => sum + length, 0)
      this.#resize(Math.max(this.#least, this.#counted(bytes)))
      return Effect.as(this.#owner === undefined ? Effect.void : this.#budget.send(this.#owner, bytes), some)
    })
  }

  #resize(bytes: number): void {
    if (this.#owner === undefined) return
    this.#budget.add(this.#owner, bytes - this.#bytes)
    this.#bytes = bytes
  }
}
