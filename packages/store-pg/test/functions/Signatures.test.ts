/** The functions in the database take and return what their calls say. */
import { assert, describe, it } from "@effect/vitest"
import { registerArtifact } from "@runhook/store-pg/artifacts/NoteArtifact"
import { moveDeliveries } from "@runhook/store-pg/deliveries/steps/StoreSteps"
import { storeEvents } from "@runhook/store-pg/endpoints/StoreEvents"
import { createExecutions } from "@runhook/store-pg/executions/create/CreateExecutions"
import { storeMoves } from "@runhook/store-pg/runs/moves/StoreMoves"
import { functions } from "@runhook/store-pg/functions/Functions"
import { claimRuns } from "@runhook/store-pg/runs/claim/ClaimRuns"
import { text, texts } from "@runhook/store-pg/sql/Parameters"
import { decoded } from "@runhook/store-pg/sql/SqlErrors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"

const called = [claimRuns, createExecutions, moveDeliveries, registerArtifact, storeEvents, storeMoves]

/** Functions that only others call. */
const inner = ["assign_created"]

const PartRow = Schema.Struct({ name: Schema.String, type: Schema.String, mode: Schema.String })

/** What the one function of a name takes and returns. */
const partsOf = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const rows = yield* decoded(PartRow)(sql`
    SELECT part.name, part.type::regtype::text AS type, part.mode::text AS mode
    FROM pg_proc p
    CROSS JOIN LATERAL unnest(p.proargnames, p.proallargtypes, p.proargmodes) WITH ORDINALITY
      AS part (name, type, mode, place)
    WHERE p.oid = to_regproc(${text(name)})
    ORDER BY part.place`)
  return {
    takes: rows.flatMap(({ mode, name: part, type }) => (mode === "i" ? [{ name: part, type }] : [])),
    returns: rows.flatMap(({ mode, name: part }) => (mode === "t" ? [part] : []))
  }
})

const TypeRow = Schema.Struct({ type: Schema.String })

/** Types as the database calls them. */
const typesOf = Effect.fnUntraced(function* (types: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const rows = yield* decoded(TypeRow)(sql`
    SELECT type::regtype::text AS type FROM unnest(${texts(types)}) WITH ORDINALITY AS t (type, place) ORDER BY place`)
  return rows.map(({ type }) => type)
})

describe("Functions in the database", () => {
  it("are those that are called, and what these call", () => {
    const names = functions().map(({ name }) => name)

    assert.sameMembers(names, [...called.map(({ name }) => name), ...inner])
  })

  it("keep the plans of their statements, and begin with a comment", () => {
    for (const { name, text: words } of functions()) {
      assert.match(words, /^-- /, name)
      assert.include(words, "SET plan_cache_mode = force_generic_plan", name)
      assert.include(words, `\nCREATE OR REPLACE FUNCTION ${name}(\n`, name)
    }
  })

  it("set no column to an element of an array: where the array is null, Citus crashes", () => {
    const elementIn = /\bSET\b(?:(?!\bFROM\b|\bWHERE\b|;)[^])*?=\s*p_\w+\[/

    const names = functions().flatMap((each) => (elementIn.test(each.text) ? [each.name] : []))

    assert.deepStrictEqual(names, [])
    assert.match("UPDATE t SET a = 1, b = p_b[i] FROM x", elementIn)
  })

  it.layer(layerMigrated)((it) => {
    it.effect.each(called)("$name takes and returns what its call says", ({ name, signature }) =>
      Effect.gen(function* () {
        const types = yield* typesOf(signature.takes.map(({ type }) => type))

        const { returns, takes } = yield* partsOf(name)

        assert.deepStrictEqual(
          takes,
          signature.takes.map((part, place) => ({ name: part.name, type: types[place] }))
        )
        assert.sameMembers(returns, signature.returns)
      })
    )
  })
})
