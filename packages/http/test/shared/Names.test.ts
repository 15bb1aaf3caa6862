import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { inDomainNames, showing } from "../../src/shared/Names.ts"

const Shown = Schema.Struct({
  id: Schema.String,
  created_at: Schema.Number,
  delivered_24h: Schema.Number,
  secret: Schema.String,
  kind: Schema.String,
  request_id: Schema.String
})

const thing = { id: "1", createdAt: 2, delivered24h: 3, secret: "mine", sort: "tea", hidden: true }

describe("what is shown of a thing", () => {
  const show = showing(Shown)<typeof thing>({
    kind: ({ sort }) => sort,
    secret: () => "masked"
  })

  it("has the fields of the schema under their names, and no others", () => {
    assert.deepStrictEqual(show(thing), {
      id: "1",
      created_at: 2,
      delivered_24h: 3,
      secret: "masked",
      kind: "tea"
    })
  })

  it("is made afresh for each thing", () => {
    const first = show(thing)

    show({ ...thing, id: "2" })

    assert.strictEqual(first.id, "1")
  })
})

describe("what a body says in the names of the domain", () => {
  it("leaves out what was not said", () => {
    const said: { readonly max_live?: number | null; readonly expires_at?: number } = { max_live: null }

    assert.deepStrictEqual(inDomainNames(said), { maxLive: null })
  })
})
