/** Runs by the time at which something is due for them. */
import type { Run } from "@runhook/core/runs/Run"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import { RunIndex } from "./RunIndex.ts"

/** The key of the one group that a timetable has. */
const timed = "timed"

export class Timetable {
  readonly #timeOf: (run: Run) => DateTime.Utc | null
  readonly #runs: RunIndex<typeof timed>

  /** Runs for which `timeOf` answers null are left out. */
  constructor(timeOf: (run: Run) => DateTime.Utc | null) {
    this.#timeOf = timeOf
    this.#runs = new RunIndex({
      keyOf: (run) => (timeOf(run) === null ? null : timed),
      order: Order.combine(
        Order.mapInput(Order.Number, (run: Run) => timeOf(run)?.epochMilliseconds ?? 0),
        Order.mapInput(Order.String, (run: Run) => run.execution.id)
      )
    })
  }

  replace(before: Run | undefined, after: Run | undefined): void {
    this.#runs.replace(before, after)
  }

  /** The earliest time of all, whether or not it has come. */
  get next(): DateTime.Utc | null {
    const first = this.#runs.of(timed).first(() => false)
    return first === undefined ? null : this.#timeOf(first)
  }

  /** Up to `limit` runs whose time has come by `at`, earliest first. */
  due({ at, limit }: { readonly at: DateTime.Utc; readonly limit: number }): ReadonlyArray<Run> {
    const hasCome = (run: Run): boolean => {
      const time = this.#timeOf(run)
      return time !== null && DateTime.isLessThanOrEqualTo(time, at)
    }
    return [...Iterable.take(Iterable.takeWhile(this.#runs.of(timed), hasCome), limit)]
  }
}
