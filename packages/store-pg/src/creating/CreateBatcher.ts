/**
 * Stores new executions in batches, so that many commits become one. A create
 * that finds nothing going on is stored at once; those that come while batches
 * of their bucket are on their way wait for each other and go together.
 *
 * A batch runs in nobody's context: a caller that is interrupted meanwhile
 * leaves its creation behind, as it would if its answer were lost. But nobody
 * waits longer than the database may take, also for the batches before: what
 * has not been sent by then is taken back.
 */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { deadline, DatabaseTimeout, passing, timed } from "../connecting/Deadline.ts"
import { defectOf } from "../Outcomes.ts"
import { type Creation } from "./CreateStatement.ts"
import { type Created, makeStoringBatches } from "./StoringBatches.ts"

/** Creations in one batch. More would not be faster, and whoever waits for them waits longer. */
export const batchSizeMax = 256

/** Batches of one bucket on their way at once: while one commits, the next is prepared. */
export const batchesInFlightMax = 2

interface Waiting {
  readonly creation: Creation
  readonly answer: Deferred.Deferred<Created>
}

/** The creations of one bucket that wait, and how many batches are on their way. */
interface Lane {
  readonly waiting: Array<Waiting>
  inFlight: number
}

/** Whoever does not wait any more shall not find out later that it was stored all the same. */
const withdraw = ({ waiting }: Lane, creation: Waiting): void => {
  const place = waiting.indexOf(creation)
  if (place >= 0) waiting.splice(place, 1)
}

export class CreateBatcher extends Context.Service<
  CreateBatcher,
  {
    /** Stores an execution of the bucket, if it may be stored. */
    create(bucket: number, creation: Creation): Effect.Effect<Created>
  }
>()("@runhook/store-pg/creating/CreateBatcher") {
  static readonly layer = Layer.effect(
    CreateBatcher,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const services = yield* Effect.context<never>()
      const store = yield* makeStoringBatches
      const timeout = yield* DatabaseTimeout
      const lanes = new Map<number, Lane>()

      const laneOf = (bucket: number): Lane => {
        const lane = lanes.get(bucket) ?? { waiting: [], inFlight: 0 }
        lanes.set(bucket, lane)
        return lane
      }

      const send = Effect.fnUntraced(function* (bucket: number, batch: ReadonlyArray<Waiting>) {
        const creations = batch.map(({ creation }) => creation)
        const outcomes = yield* timed(store({ bucket, creations, losses: 0 }))
        for (const { answer, creation } of batch) {
          const outcome = outcomes.get(creation.execution.id)
          yield* Deferred.done(answer, outcome ?? Exit.die(new Error("A creation has no outcome")))
        }
      })

      /** Sends what waits, batch after batch, until nothing does. */
      const drain = Effect.fnUntraced(function* (bucket: number, lane: Lane) {
        while (lane.waiting.length > 0) {
          yield* send(bucket, lane.waiting.splice(0, batchSizeMax))
        }
        lane.inFlight--
        if (lane.inFlight === 0) lanes.delete(bucket)
      })

      return CreateBatcher.of({
        create: Effect.fnUntraced(function* (bucket, creation) {
          const answer = yield* Deferred.make<Created>()
          const lane = laneOf(bucket)
          const waiting = { creation, answer }
          lane.waiting.push(waiting)
          if (lane.inFlight < batchesInFlightMax) {
            lane.inFlight++
            // Closing waits for what is on its way, so that every caller gets its answer.
            const sending = Effect.uninterruptible(drain(bucket, lane))
            yield* Effect.forkIn(
              Effect.updateContext(sending, (_caller: Context.Context<never>) => services),
              scope
            )
          }
          return yield* Effect.raceFirst(Deferred.await(answer), passing(yield* deadline(timeout))).pipe(
            Effect.catch((error) => Effect.die(defectOf(error))),
            Effect.ensuring(Effect.sync(() => withdraw(lane, waiting)))
          )
        })
      })
    })
  )
}
