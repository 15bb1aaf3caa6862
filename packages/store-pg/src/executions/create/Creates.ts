/** Creates executions, in groups or in the caller's transaction, and reports an outcome for each. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import { DeliveryInlets, type Place } from "@runhook/core/runtime/DeliveryInlets"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { storeRecovering } from "../../batches/BatchRecovery.ts"
import * as GroupCommit from "../../batches/GroupCommit.ts"
import { makeInHostTransaction } from "../../batches/InHostTransaction.ts"
import { StoreClock } from "../../clock/StoreClock.ts"
import { begunBy, type Ending, makeHandOver, type Places } from "../../deliveries/queue/HandOver.ts"
import { smallint, uuids } from "../../sql/Parameters.ts"
import { decoded } from "../../sql/SqlErrors.ts"
import { type Creation, madeBy } from "./Creation.ts"
import { CreatedRow, insertExecutions } from "./InsertExecutions.ts"

/** Creations in one statement. */
export const sizeMax = 256

/**
 * What became of a creation. `Known`: its idempotency key was used before;
 * `Found`: it was made when a connection was lost, and nobody knows what its event came to.
 */
export type Created =
  /** `begunAt`: when its event was begun by the place that was kept for it; null when it was not. */
  | { readonly _tag: "Made"; readonly begunAt: DateTime.Utc | null }
  | { readonly _tag: "Found" }
  | { readonly _tag: "Known" }
  | { readonly _tag: "Refused"; readonly by: "account" | "key" }

const IdRow = Schema.Struct({ id: ExecutionId })

export class Creates extends Context.Service<
  Creates,
  {
    /** Stores an execution of the bucket, if it may be stored. */
    create(bucket: number, creation: Creation): Effect.Effect<Created, SqlError | Schema.SchemaError>
  }
>()("@runhook/store-pg/executions/create/Creates") {
  static readonly layer = Layer.effect(
    Creates,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const insert = insertExecutions(yield* StoreClock)
      const host = yield* makeInHostTransaction

      const store =
        (places: Places<Creation> = new Map()) =>
        ({ bucket, items }: GroupCommit.Group<Creation>) => {
          const statement = insert(sql, { bucket, creations: items, places })
          return Effect.map(decoded(CreatedRow)(statement), (rows) => {
            const byId = new Map(rows.map((row) => [row.id, row]))
            return new Map(items.map((item) => [item, createdOf(byId.get(item.execution.id))]))
          })
        }

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
            return new Map(
              items.filter(({ execution }) => ids.has(execution.id)).map((item) => [item, found])
            )
          }
        )

      const handOver = makeHandOver<Creation, Created>({
        inlets: yield* DeliveryInlets,
        changeOf: madeBy,
        endingOf
      })

      const storeAll = (creations: GroupCommit.Group<Creation>) =>
        handOver(creations.items, (places) => storeRecovering({ store: store(places), stored })(creations))

      const group = yield* GroupCommit.make<Creation, Created>({
        sizeMax,
        accountOf: ({ execution }) => execution.accountId,
        subjectOf: () => null,
        store: (creations, answer) =>
          Effect.map(storeAll(creations), (outcomes) => outcomes.forEach((exit, item) => answer(item, exit)))
      })

      const join = Effect.fnUntraced(function* (bucket: number, creation: Creation) {
        const created = (yield* store()({ bucket, items: [creation] })).get(creation) ?? createdOf(undefined)
        if (created._tag === "Made") yield* host.notify(madeBy(creation))
        return created
      })

      return Creates.of({
        create: Effect.fnUntraced(function* (bucket, creation) {
          return (yield* host.isOpen)
            ? yield* host.within(join(bucket, creation))
            : yield* group.submit(bucket, creation)
        })
      })
    })
  )
}

/** What the answer of the statement says about a creation. */
const createdOf = (row: typeof CreatedRow.Type | undefined): Created => {
  if (row?.isMade) return { _tag: "Made", begunAt: row.begunAt }
  return row?.refusedBy ? { _tag: "Refused", by: row.refusedBy } : { _tag: "Known" }
}

const endingOf = (creation: Creation, created: Created, place: Place): Ending => {
  if (created._tag === "Found") return "doubted"
  return created._tag === "Made" && created.begunAt !== null
    ? begunBy(madeBy(creation), place, { at: created.begunAt, behind: null })
    : "freed"
}
