/** Functions of a later release come to every node, while those of this one are called. */
import { assert, describe, it } from "@effect/vitest"
import { functions } from "@runhook/store-pg/functions/Functions"
import { install } from "@runhook/store-pg/functions/Installation"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

/** Of each function, how many nodes have this release's text with the words in its body, and know that it is distributed. */
const nodesWith = (words: string) =>
  SqlClient.use(
    (sql) => sql<{ readonly nodes: number }>`
      SELECT count(*)::integer AS nodes
      FROM unnest(${functions().map(({ name }) => name)}::text[]) AS f (name)
      CROSS JOIN LATERAL run_command_on_all_nodes(format(
        'SELECT position(%L IN p.prosrc) > 0 AND o.force_delegation
         FROM pg_proc p JOIN pg_dist_object o ON o.objid = p.oid AND o.classid = ''pg_proc''::regclass
         WHERE p.oid = to_regproc(%L)', ${words}::text, f.name
      )) AS r
      WHERE r.result = 't'`
  )

describe("Functions on Citus", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("are replaced on all nodes, by one of eight starters", () =>
      Effect.gen(function* () {
        const words = "-- Of the next release."
        const next = functions().map((each) => ({
          ...each,
          text: each.text.replace("\nBEGIN\n", `\nBEGIN\n  ${words}\n`)
        }))
        const starters = Array.from({ length: 8 }, () => install(next))

        const installed = yield* Effect.all(starters, { concurrency: "unbounded" })

        assert.sameMembers(
          installed.flat(),
          next.map(({ name }) => name)
        )
        assert.deepStrictEqual(yield* nodesWith(words), [{ nodes: 3 * next.length }])
        assert.deepStrictEqual(yield* install(next), [])
      })
    )
  })
})
