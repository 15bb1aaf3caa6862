/** Stores new executions, in groups or in a transaction of their caller, and says of each what became of it. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { uuids } from "../Arrays.ts"
import * as GroupCommit from "../batching/GroupCommit.ts"
import { makeJoining } from "../batching/Joining.ts"
import { recovering } from "../batching/Recovery.ts"
import { StoreClock } from "../clock/StoreClock.ts"
import { decoded } from "../Outcomes.ts"
import { CreatedRow, createStatement, type Creation, madeBy } from "./CreateStatement.ts"

/** Creations in one statement. */
export const sizeMax = 256

/** What became of a creation. `Known`: its idempotency key was used before. */
export type Created =
  | { readonly _tag: "Made" }
  | { readonly _tag: "Known" }
  | { readonly _tag: "Refused"; readonly by: "account" | "key" }

const IdRow = Schema.Struct({ id: ExecutionId })

export class Creates extends Context.Service<
  Creates,
  {
    /** Stores an execution of the bucket, if it may be stored. */
    create(bucket: number, creation: Creation): Effect.Effect<Created, SqlError | Schema.SchemaError>
  }
>()("@runhook/store-pg/creating/Creates") {
  static readonly layer = Layer.effect(
    Creates,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const clock = yield* StoreClock
      const joining = yield* makeJoining

      const store = ({ bucket, items }: GroupCommit.Group<Creation>) =>
        Effect.map(decoded(CreatedRow)(createStatement(sql, { bucket, creations: items, clock })), (rows) => {
          const byId = new Map(rows.map((row) => [row.id, row]))
          return new Map(items.map((item) => [item, createdOf(byId.get(item.execution.id))]))
        })

      const storeAll = recovering<Creation, Created>({
        store,
        // They are sent with the same ids each time.
        stored: ({ bucket, items }) =>
          Effect.map(
            decoded(IdRow)(sql`
              SELECT id
              FROM execution_requests
              WHERE bucket = ${bucket}::smallint
                AND id = ANY (${uuids(items.map(({ execution }) => execution.id))}::uuid[])`),
            (rows) => {
              const ids = new Set(rows.map(({ id }) => id))
              return new Map(
                items.filter(({ execution }) => ids.has(execution.id)).map((item) => [item, { _tag: "Made" }])
              )
            }
          )
      })

      const group = yield* GroupCommit.make<Creation, Created>({
        sizeMax,
        accountOf: ({ execution }) => execution.accountId,
        subjectOf: () => null,
        store: (creations, answer) =>
          Effect.map(storeAll(creations), (outcomes) => outcomes.forEach((exit, item) => answer(item, exit)))
      })

      const join = Effect.fnUntraced(function* (bucket: number, creation: Creation) {
        const created = (yield* store({ bucket, items: [creation] })).get(creation) ?? createdOf(undefined)
        if (created._tag === "Made") yield* joining.tell(madeBy(creation))
        return created
      })

      return Creates.of({
        create: Effect.fnUntraced(function* (bucket, creation) {
          return (yield* joining.isWanted)
            ? yield* joining.within(join(bucket, creation))
            : yield* group.submit(bucket, creation)
        })
      })
    })
  )
}

/** What the answer of the statement says about a creation. */
const createdOf = (row: typeof CreatedRow.Type | undefined): Created => {
  if (row?.isMade) return { _tag: "Made" }
  return row?.refusedBy ? { _tag: "Refused", by: row.refusedBy } : { _tag: "Known" }
}
