/**
 * Stores a batch of one bucket despite faults, and reports an outcome for each item.
 *
 * - A value that the database refuses fails only its own item: the batch is split until that item is alone.
 * - After a collision with another transaction, the batch is tried again.
 * - After a lost connection, the store looks up what was stored and sends the rest again.
 */
import * as Array from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { isConnectionLost, sqlStateOf } from "../database/Outages.ts"
import { defectOf, isSqlError, whileColliding } from "../sql/SqlErrors.ts"
import type { Group } from "./GroupCommit.ts"

type Fault = SqlError | Schema.SchemaError

/** Lost connections after which a group fails, within about a second. */
const lossesMax = 4

const pauseAfter = (losses: number): Duration.Duration => Duration.millis(50 * 2 ** losses)

/** Whether the database refused a value or a row: SQLSTATE classes 22 and 23. */
const isDataError = (error: SqlError): boolean => /^2[23]/.test(sqlStateOf(error) ?? "")

/** A group that may have been sent before. */
interface Sending<Item> extends Group<Item> {
  /** How often its connection was lost. */
  readonly losses: number
}

/** Stores a group. Never fails: each failure is the outcome of the items it affects. */
export const storeRecovering = <Item, Outcome>(options: {
  /** One statement. Answers an outcome for each item. */
  readonly store: (group: Group<Item>) => Effect.Effect<ReadonlyMap<Item, Outcome>, Fault>
  /** Looks up which items were stored, and their outcomes. */
  readonly stored: (group: Group<Item>) => Effect.Effect<ReadonlyMap<Item, Outcome>, Fault>
}): ((group: Group<Item>) => Effect.Effect<ReadonlyMap<Item, Exit.Exit<Outcome>>>) => {
  type Outcomes = ReadonlyMap<Item, Exit.Exit<Outcome>>

  const send = (group: Sending<Item>): Effect.Effect<Outcomes> =>
    whileColliding(options.store(group)).pipe(
      Effect.map(succeeded),
      Effect.catch((fault) => recover(group, fault))
    )

  const recover = (group: Sending<Item>, fault: Fault): Effect.Effect<Outcomes> => {
    if (!isSqlError(fault) || group.losses === lossesMax) return Effect.succeed(failed(group, fault))
    const again = { ...group, losses: group.losses + 1 }
    if (isConnectionLost(fault)) return Effect.delay(resend(again), pauseAfter(group.losses))
    if (!isDataError(fault)) return Effect.succeed(failed(group, fault))
    if (group.items.length > 1) return sendHalves(group)
    // The earlier try may have been committed only now, and be what collides.
    return group.losses > 0 ? resend(again) : Effect.succeed(failed(group, fault))
  }

  const sendHalves = (group: Sending<Item>): Effect.Effect<Outcomes> => {
    const halves = Array.chunksOf(group.items, Math.ceil(group.items.length / 2))
    return Effect.map(
      Effect.forEach(halves, (items) => send({ ...group, items })),
      (outcomes) => new Map(outcomes.flatMap((each) => [...each]))
    )
  }

  const resend = (group: Sending<Item>): Effect.Effect<Outcomes> =>
    options.stored(group).pipe(
      Effect.flatMap((stored) => {
        const items = group.items.filter((item) => !stored.has(item))
        if (items.length === 0) return Effect.succeed(succeeded(stored))
        return Effect.map(send({ ...group, items }), (rest) => new Map([...succeeded(stored), ...rest]))
      }),
      Effect.catch((fault) => recover(group, fault))
    )

  const succeeded = (outcomes: ReadonlyMap<Item, Outcome>): Outcomes =>
    new Map([...outcomes].map(([item, outcome]) => [item, Exit.succeed(outcome)]))

  const failed = ({ items }: Group<Item>, fault: Fault): Outcomes =>
    new Map(items.map((item) => [item, Exit.die(defectOf(fault))]))

  return (group) => send({ ...group, losses: 0 })
}
