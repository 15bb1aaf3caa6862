/** What the answer to one request holds in memory, counted from before it is sent until it has been. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { errorAnswer } from "./ErrorAnswer.ts"
import { LargeAnswers, type Owner, smallAnswerBytes } from "./LargeAnswers.ts"

export class AnswerHold {
  readonly #answers: LargeAnswers
  /** That of the request, which ends when the answer was handed over or its caller has gone. */
  readonly #scope: Scope.Scope
  #owner: Owner | undefined
  #bytes = 0

  constructor(answers: LargeAnswers, scope: Scope.Scope) {
    this.#answers = answers
    this.#scope = scope
  }

  /** Says whose the answer is. What is shown to everybody is nobody's, and not counted. */
  own(owner: Owner): void {
    this.#owner = owner
  }

  /** Whether an answer of so many bytes is counted. */
  counts(bytes: number): boolean {
    return this.#owner !== undefined && bytes > smallAnswerBytes
  }

  /** The most that its owner may have under way. */
  get limit(): number {
    return this.#answers.limits.account
  }

  /** Whether an answer of so many bytes may begin. */
  hasRoom(bytes: number): boolean {
    return this.#owner === undefined || this.#answers.hasRoom(this.#owner, bytes)
  }

  /** Counts so many bytes until the request ends, whether or not there is room. */
  take(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.resize(bytes)
      return Scope.addFinalizer(
        this.#scope,
        Effect.sync(() => this.#end())
      )
    })
  }

  /** Waits until its owner may be sent so many bytes, so that who asks for much leaves others their time. */
  turn(bytes: number): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) =>
      this.#owner === undefined ? Effect.void : Effect.sleep(this.#answers.turnOf(this.#owner, bytes, now))
    )
  }

  /** The answer, which is under way, holds so many bytes now. */
  resize(bytes: number): void {
    if (this.#owner === undefined) return
    this.#answers.add(this.#owner, bytes - this.#bytes)
    this.#bytes = bytes
  }

  #end(): void {
    this.resize(0)
    this.#owner = undefined
  }
}

/** That of the current request. Hosts without the envelope count nothing. */
export const CurrentAnswerHold = Context.Reference<AnswerHold>("@runhook/http/AnswerHold", {
  defaultValue: () => new AnswerHold(new LargeAnswers(), Scope.makeUnsafe())
})

/** 429, for who has not taken the large answers it asked for before. */
const tooManyLarge = (limit: number) =>
  errorAnswer({
    status: 429,
    message: "Too many large answers to this account are under way: read those first",
    details: { reason: "large_answers", limit }
  })

/** The answer of so many bytes, or 429 when there is no room for it. */
export const answerHolding = Effect.fnUntraced(function* <A>(bytes: number, answer: Effect.Effect<A>) {
  const hold = yield* CurrentAnswerHold
  if (!hold.hasRoom(bytes)) return yield* tooManyLarge(hold.limit)
  yield* hold.take(bytes)
  return yield* answer
})

/** What the handler answers, or 429 before it does anything: what it did could not be told without room. */
export const withRoom = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentAnswerHold, (hold): Effect.Effect<A | HttpServerResponse.HttpServerResponse, E, R> =>
    hold.hasRoom(smallAnswerBytes) ? handler : tooManyLarge(hold.limit)
  )

/**
 * The same answer, counted if it is large, or 429. One that tells what was done is
 * sent in any case: whoever reads 429 believes that nothing was.
 */
export const counted = Effect.fnUntraced(function* (answer: HttpServerResponse.HttpServerResponse) {
  const { body } = answer
  const hold = yield* CurrentAnswerHold
  if (body._tag !== "Uint8Array" || !hold.counts(body.contentLength)) return answer
  const { method } = yield* HttpServerRequest.HttpServerRequest
  const isRepeatable = method === "GET" || method === "HEAD"
  if (isRepeatable && !hold.hasRoom(body.contentLength)) return yield* tooManyLarge(hold.limit)
  yield* hold.take(body.contentLength)
  yield* hold.turn(body.contentLength)
  // A request ends with its stream once that is sent, but with bytes as soon as they lie in the socket.
  return HttpServerResponse.setBody(
    answer,
    HttpBody.stream(Stream.succeed(body.body), body.contentType, body.contentLength)
  )
})
