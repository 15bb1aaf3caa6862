/** The bytes of large answers in flight, by owner. Each process counts for itself. */
import type { AccountId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"
import { sliceBytes } from "./PageBytes.ts"
import { type TurnLimits, Turns } from "./Turns.ts"

/** The owner of an answer: an account, or, null, the operator. */
export type Owner = AccountId | null

export interface LargeAnswerLimits {
  /** The most bytes in flight to the callers of one account. */
  readonly account: number
  /** The most bytes in flight to all callers. */
  readonly process: number
}

/** An account has an eighth of the total, so a few accounts cannot use it up. */
const largeAnswerLimits: LargeAnswerLimits = {
  account: 16 * 1024 * 1024,
  process: 128 * 1024 * 1024
}

/** Answers of no more than this are not counted. */
export const smallAnswerBytes = sliceBytes

/** What a page that is sent slice by slice counts at least: a slice, or a larger item. */
export const longPageBytes = 4 * sliceBytes

/** The rate of an account in large answers: a page of the largest size at once, and two a second. */
const answerTurns: TurnLimits = { perSecond: 8 * 1024 * 1024, burst: 4 * 1024 * 1024 }

export class LargeAnswers {
  readonly limits: LargeAnswerLimits
  readonly #turns = new Turns<AccountId>(answerTurns)
  readonly #held = new Map<Owner, number>()
  #total = 0

  constructor(limits: LargeAnswerLimits = largeAnswerLimits) {
    this.limits = limits
  }

  /** Bytes in flight to everybody. */
  get total(): number {
    return this.#total
  }

  /** Whether an answer of this size may begin. The first of an owner always may, whatever others hold. */
  hasRoom(owner: Owner, bytes: number): boolean {
    const held = this.#held.get(owner) ?? 0
    if (held === 0) return true
    return held + bytes <= this.limits.account && this.#total + bytes <= this.limits.process
  }

  /** Reserves bytes for an owner; answers after how many milliseconds they may be sent. Operators do not wait. */
  turnOf(owner: Owner, bytes: number, now: number): number {
    if (owner === null) return 0
    const wait = this.#turns.waitOf(owner, now)
    this.#turns.take(owner, bytes, now)
    return wait
  }

  /** Adds bytes of an owner, or removes them if negative, even if there is no room. */
  add(owner: Owner, bytes: number): void {
    const held = (this.#held.get(owner) ?? 0) + bytes
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
    this.#total += bytes
  }
}

/** What is in flight in this process. */
export const AnswersUnderWay = Context.Reference<LargeAnswers>("@runhook/http/AnswersUnderWay", {
  defaultValue: () => new LargeAnswers()
})
