/** Finds names of files that nothing knows. */
import type { ArtifactName } from "@runhook/core/domain/artifact/Artifact"
import { AccountId, ArtifactId } from "@runhook/core/domain/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { forEachBucket } from "../accounts/EachBucket.ts"
import { smallint, uuid, uuids } from "../sql/Parameters.ts"
import { rows } from "../sql/Rows.ts"
import { decoded } from "../sql/SqlErrors.ts"

const AccountRow = Schema.Struct({ id: AccountId, bucket: Schema.Int })

const StrayRow = Schema.Struct({ id: ArtifactId })

export const makeFindStrays = Effect.gen(function* () {
  const sql = yield* SqlClient

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

  return Effect.fnUntraced(function* (names: ReadonlyArray<ArtifactName>) {
    const asked = Array.dedupe(names.map(({ accountId }) => accountId))
    // Removed ones too.
    const accounts = yield* decoded(AccountRow)(sql`
      SELECT id, bucket FROM accounts WHERE id = ANY (${uuids(asked)})`)
    const buckets = new Map(accounts.map(({ bucket, id }) => [id, bucket]))
    const known = names.flatMap((name) => {
      const bucket = buckets.get(name.accountId)
      return bucket === undefined ? [] : [{ ...name, bucket }]
    })
    const found = yield* forEachBucket(known, inBucket)
    const strays = new Set(found.flat().map(({ id }) => id))
    return names.filter(({ id }) => strays.has(id))
  })
})
