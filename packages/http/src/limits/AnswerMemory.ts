/** What the answer to one request holds in memory, counted from before it is sent until it has been sent. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { type LargeAnswers, type Owner, smallAnswerBytes } from "./LargeAnswers.ts"

export class AnswerMemory {
  readonly #answers: LargeAnswers
  /** The scope of the request, which ends when the answer was handed over or its caller has gone. */
  readonly #scope: Scope.Scope
  #owner: Owner | undefined
  #bytes = 0

  constructor(answers: LargeAnswers, scope: Scope.Scope) {
    this.#answers = answers
    this.#scope = scope
  }

  /** Says who owns the answer. An answer that everybody may see has no owner, and is not counted. */
  own(owner: Owner): void {
    this.#owner = owner
  }

  /** Whether an answer of this size is counted. */
  counts(bytes: number): boolean {
    return this.#owner !== undefined && bytes > smallAnswerBytes
  }

  /** The most bytes in flight that its owner may have. */
  get limit(): number {
    return this.#answers.limits.account
  }

  /** Whether an answer of this size may begin. */
  hasRoom(bytes: number): boolean {
    return this.#owner === undefined || this.#answers.hasRoom(this.#owner, bytes)
  }

  /** Counts these bytes until the request ends, whether or not there is room. */
  take(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.resize(bytes)
      return Scope.addFinalizer(
        this.#scope,
        Effect.sync(() => this.#end())
      )
    })
  }

  /** Counts one piece of an answer that continues, in place of the one before it, and waits for its turn. */
  piece(bytes: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.resize(this.counts(bytes) ? bytes : 0)
      return this.turn(bytes)
    })
  }

  /** Waits until its owner may be sent these bytes, so that heavy callers leave time for others. */
  turn(bytes: number): Effect.Effect<void> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const wait = this.#owner === undefined ? 0 : this.#answers.turnOf(this.#owner, bytes, now)
      return wait === 0 ? Effect.void : Effect.sleep(wait)
    })
  }

  /** The answer in flight now holds this many bytes. */
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
