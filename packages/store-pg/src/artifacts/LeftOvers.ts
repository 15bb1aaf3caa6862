/** Files that outlive their artifacts: those that are left over, and those that nothing knows. */
import type { ArtifactName } from "@runhook/core/artifacts/Artifact"
import { AccountId, ArtifactId } from "@runhook/core/shared/Ids"
import type { LeftOver } from "@runhook/core/sweeps/SweepStore"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets } from "../accounts/Buckets.ts"
import { forEachBucket } from "../accounts/EachBucket.ts"
import { integer, smallint, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

const AccountRow = Schema.Struct({ id: AccountId, bucket: Schema.Int })

const StrayRow = Schema.Struct({ id: ArtifactId })

const LeftOverRow = Schema.Struct({ accountId: AccountId, id: ArtifactId, storageKey: Schema.String })

export const makeLeftOvers = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets

  const inBucket = (bucket: number, names: ReadonlyArray<ArtifactName>) =>
    decoded(StrayRow)(sql`
      SELECT f.id
      FROM ${rows("f", names, {
        account_id: uuid(({ accountId }) => accountId),
        execution_id: uuid(({ executionId }) => executionId),
        id: uuid(({ id }) => id)
      })}
      WHERE NOT EXISTS (
          SELECT FROM artifacts a
          WHERE a.bucket = ${smallint(bucket)} AND a.execution_id = f.execution_id AND a.id = f.id
        )
        AND NOT EXISTS (
          SELECT FROM artifact_leftovers l
          WHERE l.bucket = ${smallint(bucket)} AND l.account_id = f.account_id AND l.id = f.id
        )`)

  const leftOvers = (limit: number) =>
    decoded(LeftOverRow)(sql`
      SELECT account_id AS "accountId", id, storage_key AS "storageKey"
      FROM artifact_leftovers
      LIMIT ${integer(limit)}`)

  const dropLeftOvers = Effect.fnUntraced(function* (dropped: ReadonlyArray<LeftOver>) {
    for (const ofAccount of Object.values(Array.groupBy(dropped, ({ accountId }) => accountId))) {
      const [{ accountId }] = ofAccount
      yield* sql`
        DELETE FROM artifact_leftovers
        WHERE bucket = ${smallint(yield* buckets.of(accountId))} AND account_id = ${uuid(accountId)}
          AND id = ANY (${uuids(ofAccount.map(({ id }) => id))})`
    }
  })

  const strays = Effect.fnUntraced(function* (names: ReadonlyArray<ArtifactName>) {
    const asked = Array.dedupe(names.map(({ accountId }) => accountId))
    // Removed ones too.
    const accounts = yield* decoded(AccountRow)(sql`
      SELECT id, bucket FROM accounts WHERE id = ANY (${uuids(asked)})`)
    const bucketOf = new Map(accounts.map(({ bucket, id }) => [id, bucket]))
    const known = names.flatMap((name) => {
      const bucket = bucketOf.get(name.accountId)
      return bucket === undefined ? [] : [{ ...name, bucket }]
    })
    const found = yield* forEachBucket(known, inBucket)
    const unknown = new Set(found.flat().map(({ id }) => id))
    return names.filter(({ id }) => unknown.has(id))
  })
  return { dropLeftOvers, leftOvers, strays }
})
