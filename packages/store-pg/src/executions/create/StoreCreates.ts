/** Creates executions, in groups or in the caller's transaction, and reports an outcome for each. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import type { Change, Run } from "@runhook/core/runs/Run"
import { DeliveryInlets } from "@runhook/core/deliveries/queue/DeliveryInlets"
import { WorkInlets, type WorkPlace } from "@runhook/core/runs/claim/WorkInlets"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { storeRecovering } from "../../engine/BatchRecovery.ts"
import * as GroupCommit from "../../engine/GroupCommit.ts"
import { withPlaces } from "../../engine/ReservedPlaces.ts"
import { StoreClock } from "../../clock/StoreClock.ts"
import { type Ending, makeHandOver, type Places } from "../../deliveries/queue/HandOver.ts"
import { PgRuns } from "../../runs/moves/PgRuns.ts"
import { smallint, uuids } from "../../sql/Parameters.ts"
import { decoded, defectOf } from "../../sql/SqlErrors.ts"
import { isInTransaction } from "../../engine/Transactions.ts"
import { withoutRepeats } from "./Creation.ts"
import { type CreatedRow, makeCreateExecutions } from "./CreateExecutions.ts"
import { type Created, type Creation, Creates, madeBy } from "./Creates.ts"
import { takenBy, type WorkPlaces, workPlaces } from "./TakenAtOnce.ts"

/** Creations in one statement. */
const sizeMax = 256

const knownBefore: Created = { _tag: "Known" }

const IdRow = Schema.Struct({ id: ExecutionId })

export const layer = Layer.effect(
  Creates,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const runs = yield* PgRuns
    const createExecutions = makeCreateExecutions(yield* StoreClock)

    /** Their outcomes, by these rows. Runs that polls have got are remembered. */
    const outcomesOf = Effect.fnUntraced(function* (
      items: ReadonlyArray<Creation>,
      rows: ReadonlyArray<CreatedRow>,
      work: WorkPlaces
    ) {
      const byId = new Map(rows.map((row) => [row.id, row]))
      const outcomes = new Map<Creation, Created>()
      for (const item of items) {
        const row = byId.get(item.execution.id)
        const place = work.get(item)
        const taken = row?.takenAt && place && takenBy(item, place, row.takenAt)
        if (taken) yield* runs.remember([storedRun(taken.run, row.slot)])
        outcomes.set(item, createdOf(row, taken ?? undefined))
      }
      return outcomes
    })

    const store =
      (places: Places<Creation>, work: WorkPlaces) =>
      ({ bucket, items }: GroupCommit.Group<Creation>) =>
        Effect.flatMap(
          createExecutions(sql, { bucket, creations: withoutRepeats(items), places, work }),
          (rows) => outcomesOf(items, rows, work)
        )

    // They are sent with the same ids each time.
    const stored = ({ bucket, items }: GroupCommit.Group<Creation>) =>
      Effect.map(
        decoded(IdRow)(sql`
          SELECT id
          FROM execution_requests
          WHERE bucket = ${smallint(bucket)}
            AND id = ANY (${uuids(items.map(({ execution }) => execution.id))})`),
        (rows) => {
          const ids = new Set(rows.map(({ id }) => id))
          const found: Created = { _tag: "Found" }
          return new Map(items.filter(({ execution }) => ids.has(execution.id)).map((item) => [item, found]))
        }
      )

    const handOver = makeHandOver<Creation, Created>({
      inlets: yield* DeliveryInlets,
      changeOf: madeBy,
      endingOf
    })

    const givePolls = withPlaces<Creation, WorkPlace, Created>({
      placesFor: workPlaces(yield* WorkInlets),
      tell: (_, { kept }, created) => {
        if (created === undefined || created._tag === "Found") kept.doubt()
        else if (created._tag === "Made" && created.taken !== undefined) kept.begin(created.taken)
        else kept.free()
      }
    })

    const storeAll = Effect.fnUntraced(
      function* (creations: GroupCommit.Group<Creation>) {
        const { items } = creations
        return yield* givePolls(items, (work) =>
          handOver(items, (places) =>
            storeRecovering({
              store: store(places, work),
              stored
            })(creations)
          )
        )
      },
      Effect.catch((fault: SqlError | Schema.SchemaError) => Effect.die(defectOf(fault)))
    )

    const group = yield* GroupCommit.make<Creation, Created>({
      name: "creates",
      sizeMax,
      // The next would wait for the counts that this one has locked, with fewer in it.
      inFlightMax: 1,
      accountOf: ({ execution }) => execution.accountId,
      subjectOf: () => null,
      store: (creations, answer) =>
        Effect.map(storeAll(creations), (outcomes) => outcomes.forEach((exit, item) => answer(item, exit)))
    })

    const join = (bucket: number, items: ReadonlyArray<Creation>) =>
      items.length === 0
        ? Effect.succeed(new Map<Creation, Created>())
        : store(new Map(), new Map())({ bucket, items })

    const joinOne = (bucket: number, creation: Creation) =>
      Effect.map(join(bucket, [creation]), (created) => created.get(creation) ?? knownBefore)

    return Creates.of({
      create: Effect.fnUntraced(function* (bucket, creation) {
        return (yield* isInTransaction(sql))
          ? yield* sql.withTransaction(joinOne(bucket, creation))
          : yield* group.submit(bucket, creation)
      }),
      join
    })
  })
)

/** What is remembered of a run that was just stored. */
const storedRun = (run: Run, slot: number | null) => {
  const { metadata, params } = run.execution
  return { run, slot, requestBytes: metadata.bytes + params.bytes }
}

/** What the database says about a creation. Of repeats of one key in a call, it was given the first. */
const createdOf = (row: CreatedRow | undefined, taken: Change | undefined): Created => {
  if (row === undefined || row.refusedBy === "known") return knownBefore
  return row.refusedBy === null
    ? { _tag: "Made", begunAt: row.begunAt, taken, hasListeners: row.hasListeners }
    : { _tag: "Refused", by: row.refusedBy }
}

const endingOf = (_: Creation, created: Created): Ending => {
  if (created._tag === "Found") return "doubted"
  return created._tag === "Made" && created.begunAt !== null ? { at: created.begunAt, behind: null } : "freed"
}
