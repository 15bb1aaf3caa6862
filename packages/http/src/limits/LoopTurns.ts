/**
 * Limits how many requests with a body begin in one turn of the event loop; accounts take turns. Between two turns,
 * other events are handled, such as answers of receivers: however many callers come at once, callbacks wait for a few
 * of them only, and for half of those while many callbacks wait.
 */
import type { AccountId } from "@runhook/core/shared/Ids"
import { AccountTurns } from "@runhook/core/engine/AccountTurns"
import { WaitingCallbacks } from "@runhook/core/deliveries/queue/WaitingCallbacks"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SchedulerDispatcher } from "effect/Scheduler"

/** Requests that begin in one turn: some milliseconds of work. */
export const perTurn = 8

/** Callbacks that wait while requests begin as usual. */
export const callbacksWaitingMax = 64

export class LoopTurns {
  readonly #callbacks: { readonly count: number }
  readonly #waiting = new AccountTurns<() => void>()
  #begun = 0
  #isCounting = false

  constructor(callbacks: { readonly count: number }) {
    this.#callbacks = callbacks
  }

  /** Waits for a turn that has room; operators, who have no account, take turns as one. */
  next(account: AccountId | null): Effect.Effect<void> {
    return Effect.withFiber(({ currentDispatcher }) => {
      if (this.#begun >= this.#perTurn) return this.#later(account ?? "")
      this.#begun++
      // The first of a turn may be alone, and leave the loop without another turn: then the next turns count on.
      if (this.#begun >= this.#perTurn / 2) this.#count(currentDispatcher)
      return Effect.void
    })
  }

  get #perTurn(): number {
    return this.#callbacks.count > callbacksWaitingMax ? perTurn / 2 : perTurn
  }

  #later(line: string): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const begin = () => resume(Effect.void)
      this.#waiting.add(line, begin)
      return Effect.sync(() => this.#waiting.remove(line, begin))
    })
  }

  #count(loop: SchedulerDispatcher): void {
    if (!this.#isCounting) loop.scheduleTask(() => this.#begin(loop), 0)
    this.#isCounting = true
  }

  /**
   * Waiting requests go before those that come in this turn; those of one account go together, and share a commit.
   */
  #begin(loop: SchedulerDispatcher): void {
    const begun = this.#waiting.takeLines(this.#perTurn)
    this.#begun = begun.length
    this.#isCounting = false
    if (begun.length > 0) this.#count(loop)
    for (const begin of begun) begin()
  }
}

/** Of this process, for all of its APIs. */
export const CurrentLoopTurns = Context.Reference<LoopTurns>("@runhook/http/LoopTurns", {
  defaultValue: () => new LoopTurns(Context.get(Context.empty(), WaitingCallbacks))
})
