/**
 * What the answers to an account may use of this process, whichever of its keys and people ask: room for bytes that
 * are not read yet, bytes a second, and turns for what costs much to read. Each process counts for itself.
 */
import type { AccountId } from "@runhook/core/shared/Ids"
import type { RateLimit } from "@runhook/core/keys/RateLimit"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { type LineLimits, type Lines, makeLines } from "./Lines.ts"
import { sliceBytes } from "./PageBytes.ts"
import * as TokenBuckets from "./TokenBuckets.ts"

/** The owner of an answer: an account, or, null, the operator. */
export type Owner = AccountId | null

export interface ResponseLimits {
  /** The most bytes of large answers in flight, to the callers of one account and to all. Beyond that, they are refused. */
  readonly inFlight: { readonly account: number; readonly process: number }
  /** The bytes of an account, in large answers and in streams. Beyond that, they wait. Operators do not. */
  readonly sending: RateLimit
  /** The expensive reads of an account, one at a time, each with a rest as long as it took. Operators do not wait. */
  readonly reading: LineLimits
}

const mebibyte = 1024 * 1024

export const responseLimits: ResponseLimits = {
  // An account has an eighth of the total, so a few accounts cannot use it up.
  inFlight: { account: 16 * mebibyte, process: 128 * mebibyte },
  // A page of the largest size at once, and two a second.
  sending: { perSecond: 8 * mebibyte, burst: 4 * mebibyte },
  // As many wait as a key may ask for at once.
  reading: { waitingMax: 200, waitMax: 10_000, restMin: 0 }
}

/** Answers of no more than this are not counted. */
export const smallAnswerBytes = sliceBytes

/** What an answer that is read slice by slice counts at least: a slice, or a larger item. */
export const longAnswerBytes = 4 * sliceBytes

export class ResponseBudget {
  readonly limits: ResponseLimits
  readonly #sent = TokenBuckets.make()
  readonly #inLine: Lines<AccountId>
  readonly #held = new Map<Owner, number>()
  #total = 0

  constructor(limits: ResponseLimits = responseLimits) {
    this.limits = limits
    this.#inLine = makeLines(limits.reading)
  }

  /** Bytes in flight to everybody. */
  get total(): number {
    return this.#total
  }

  /** Whether an answer of this size may begin. The first of an owner always may, whatever others hold. */
  hasRoom(owner: Owner, bytes: number): boolean {
    const { account, process } = this.limits.inFlight
    const held = this.#held.get(owner) ?? 0
    return held === 0 || (held + bytes <= account && this.#total + bytes <= process)
  }

  /** Adds bytes of an owner, or removes them if negative, even if there is no room. */
  add(owner: Owner, bytes: number): void {
    const held = (this.#held.get(owner) ?? 0) + bytes
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
    this.#total += bytes
  }

  /** Waits until so many bytes may be sent to an owner. */
  send(owner: Owner, bytes: number): Effect.Effect<void> {
    if (owner === null) return Effect.void
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const wait = this.#sent.owe(owner, this.limits.sending, now, bytes)
      return wait === 0 ? Effect.void : Effect.sleep(wait)
    })
  }

  /** Reads in the owner's turn; none if too many of its reads wait, or if this one waited too long. */
  read<A, E, R>(owner: Owner, work: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> {
    return owner === null ? Effect.asSome(work) : this.#inLine(owner, work)
  }
}

/** Of this process, over all of its APIs. */
export const CurrentResponseBudget = Context.Reference<ResponseBudget>("@runhook/http/ResponseBudget", {
  defaultValue: () => new ResponseBudget()
})
