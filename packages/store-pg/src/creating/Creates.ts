/** Stores new executions in groups, and says of each what became of it. */
import { ExecutionId } from "@runhook/core/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { uuids } from "../Arrays.ts"
import * as GroupCommit from "../batching/GroupCommit.ts"
import { recovering } from "../batching/Recovery.ts"
import { StoreClock } from "../clock/StoreClock.ts"
import { decoded } from "../Outcomes.ts"
import { CreatedRow, createStatement, type Creation } from "./CreateStatement.ts"

/** Creations in one statement. */
export const sizeMax = 256

/** What became of a creation. `Known`: its idempotency key was used before. */
export type Created =
  | { readonly _tag: "Made" }
  | { readonly _tag: "Known" }
  | { readonly _tag: "Refused"; readonly by: "account" | "key" }

const IdRow = Schema.Struct({ id: ExecutionId })

export class Creates extends Context.Service<Creates, GroupCommit.GroupCommit<Creation, Created>>()(
  "@runhook/store-pg/creating/Creates"
) {
  static readonly layer = Layer.effect(
    Creates,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const clock = yield* StoreClock

      const storeAll = recovering<Creation, Created>({
        store: ({ bucket, items }) =>
          Effect.map(
            decoded(CreatedRow)(createStatement(sql, { bucket, creations: items, clock })),
            (rows) => {
              const byId = new Map(rows.map((row) => [row.id, row]))
              return new Map(items.map((item) => [item, createdOf(byId.get(item.execution.id))]))
            }
          ),
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

      return yield* GroupCommit.make<Creation, Created>({
        sizeMax,
        accountOf: ({ execution }) => execution.accountId,
        subjectOf: () => null,
        store: (group, answer) =>
          Effect.map(storeAll(group), (outcomes) => outcomes.forEach((exit, item) => answer(item, exit)))
      })
    })
  )
}

/** What the answer of the statement says about a creation. */
export const createdOf = (row: typeof CreatedRow.Type | undefined): Created => {
  if (row?.isMade) return { _tag: "Made" }
  return row?.refusedBy ? { _tag: "Refused", by: row.refusedBy } : { _tag: "Known" }
}
