/** The polls of one process that wait for work, in the order in which they came. */
import type { AccountId, AgentId } from "../shared/Ids.ts"
import { SetsByKey } from "../engine/SetsByKey.ts"

/** Work of an agent; null: of any agent of the account. The names may come from another process. */
export interface Work {
  readonly accountId: string
  readonly agentId: string | null
}

/** A poll that waits for work of some agents of an account; null: of all of them. */
export interface Seat {
  readonly accountId: AccountId
  readonly agentIds: ReadonlyArray<AgentId> | null
  readonly wake: () => void
  /** The work it was woken for and has not begun to look for. */
  turn: Work | undefined
  isLooking: boolean
}

const serves = ({ agentIds }: Seat, { agentId }: Work): boolean =>
  agentIds === null || agentId === null || agentIds.some((id) => id === agentId)

export class WorkQueue {
  readonly #seats = new SetsByKey<string, Seat>()

  join(seat: Seat): void {
    this.#seats.add(seat.accountId, seat)
  }

  /** Passes the work it was woken for, and did not look for, to the next. */
  leave(seat: Seat): void {
    this.#seats.delete(seat.accountId, seat)
    if (seat.turn !== undefined) this.offer(seat.turn)
  }

  /**
   * Wakes the poll that has waited longest of those that serve the agent. One that
   * was woken and has not looked yet will see this work too, and is passed by. One
   * that is looking now may have missed it, and looks again if there is no other.
   */
  offer(work: Work, from?: Seat): void {
    let looking: Seat | undefined
    for (const seat of this.#seats.of(work.accountId)) {
      if (seat === from || seat.turn !== undefined || !serves(seat, work)) continue
      if (!seat.isLooking) return take(seat, work)
      looking ??= seat
    }
    if (looking !== undefined) take(looking, work)
  }
}

const take = (seat: Seat, work: Work): void => {
  seat.turn = work
  seat.wake()
}
