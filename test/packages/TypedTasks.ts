/** The file that `runhook types` writes, as a program has it beside the package. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { layer } from "@runhook/params/AjvParamsValidator"
import { fileOf } from "@runhook/server/task-types/TaskTypes"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { breaches } from "../../packages/params/test/Validating.ts"
import type { Installation } from "./Installation.ts"
import { complaints } from "./Programs.ts"

/** A schema with values that the service takes, and some that it refuses. The types are held to the same. */
interface Case {
  readonly schema: JsonObject
  readonly takes: ReadonlyArray<JsonObject>
  readonly refuses: ReadonlyArray<JsonObject>
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more
})
const text = { type: "string" }
const longName = "a-very-long-slug-".repeat(4).slice(0, 63)

const cases: Readonly<Record<string, Case>> = {
  plain: {
    schema: object(
      { url: { ...text, description: "Where */ it is\nfound" }, pages: { type: "integer" } },
      { required: ["url"] }
    ),
    takes: [{ url: "a" }, { url: "a", pages: 1 }],
    refuses: [{}, { url: 1 }, { url: "a", pages: "1" }]
  },
  anything: { schema: {}, takes: [{}, { a: [1, null] }], refuses: [] },
  closed: { schema: { type: "object", additionalProperties: false }, takes: [{}], refuses: [{ a: 1 }] },
  [longName]: { schema: object({ a: text }), takes: [{ a: "" }, {}], refuses: [{ a: null }] },
  "0-strange-names": {
    schema: object(
      { "": text, 'it\'s "so"\n': text, "☃ */": text, constructor: text, "a-b": text, default: text },
      {
        required: ["a-b", "unlisted"]
      }
    ),
    takes: [{ "a-b": "", unlisted: [], "": "", 'it\'s "so"\n': "", "☃ */": "", default: "" }],
    refuses: [{ unlisted: 1 }, { "a-b": "" }, { "a-b": "", unlisted: 1, "☃ */": 1 }]
  },
  words: {
    schema: object({ size: { enum: ["a4", "letter", null] }, kind: { const: { of: ["x"] } } }),
    takes: [{ size: "a4" }, { size: null, kind: { of: ["x"] } }],
    refuses: [{ size: "a3" }, { kind: { of: ["y"] } }]
  },
  references: {
    schema: object(
      {
        tree: { $ref: "#/$defs/node" },
        again: { $ref: "#/properties/other" },
        other: text,
        it: { $ref: "#named" },
        whole: { $ref: "#" }
      },
      {
        $defs: {
          node: object({
            children: { type: "array", items: { $ref: "#/$defs/node" } },
            of: { $ref: "#/$defs/a~1b%20c" }
          }),
          "a/b c": { type: "number" },
          it: { $anchor: "named", type: "boolean" },
          Params: text
        }
      }
    ),
    takes: [{ tree: { children: [{ children: [], of: 1 }] }, again: "", it: true, whole: { other: "" } }],
    refuses: [
      { tree: { children: [1] } },
      { tree: { of: "" } },
      { again: 1 },
      { it: "" },
      { whole: { again: 1 } }
    ]
  },
  "draft-07": {
    schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { m: { type: "number" } },
      ...object({
        m: { $ref: "#/definitions/m" },
        row: { type: "array", items: [text], additionalItems: { type: "number" } }
      })
    },
    takes: [{ m: 1, row: [] }, { row: ["a", 1, 2] }],
    refuses: [{ m: "" }, { row: [1] }, { row: ["a", "b"] }]
  },
  tuples: {
    schema: object({
      pair: { type: "array", prefixItems: [text, { type: ["number", "null"] }], items: false, minItems: 1 }
    }),
    takes: [{ pair: ["a"] }, { pair: ["a", null] }],
    refuses: [{ pair: [] }, { pair: ["a", "b"] }, { pair: ["a", 1, 1] }]
  },
  either: {
    schema: {
      type: "object",
      oneOf: [
        object({ by: { const: "id" }, id: text }, { required: ["by", "id"] }),
        object({ by: { const: "name" }, name: text }, { required: ["by", "name"] })
      ]
    },
    takes: [
      { by: "id", id: "1" },
      { by: "name", name: "n" }
    ],
    refuses: [{ by: "id", name: "n" }, { by: "other" }]
  },
  all: {
    schema: {
      allOf: [object({ a: text }, { required: ["a"] }), object({ b: text })],
      anyOf: [{ required: ["b"] }, { required: ["a"] }]
    },
    takes: [{ a: "" }, { a: "", b: "" }],
    refuses: [{ b: "" }, { a: "", b: 1 }]
  },
  map: {
    schema: object(
      {
        counts: {
          type: "object",
          patternProperties: { "^x": { type: "number" } },
          additionalProperties: false
        }
      },
      {
        additionalProperties: text
      }
    ),
    takes: [{ counts: { xy: 1 } }, { counts: {}, other: "" }],
    refuses: [{ counts: { xy: "" } }]
  },
  "of-two-types": {
    schema: object({ value: { type: ["object", "array"], properties: { a: text }, items: text } }),
    takes: [{ value: { a: "" } }, { value: ["a"] }],
    refuses: [{ value: "" }, { value: [1] }]
  },
  unprintable: {
    schema: object(
      { never: false, circle: { $ref: "#/$defs/a" }, dynamic: { not: text } },
      { $defs: { a: { anyOf: [text, { $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/c" }, c: text } }
    ),
    takes: [{ circle: "" }, { dynamic: 1 }],
    refuses: [{ never: 1 }, { circle: 1 }]
  }
}

const task = (slug: string, paramsSchema: JsonObject, resultSchema: JsonObject | null = null) => ({
  slug,
  name: "Its name",
  description: "What */ it does",
  paramsSchema,
  resultSchema
})

/** Of the packages that are installed by then. */
export const typedTasks = (installation: () => Installation) =>
  describe("the types of tasks", () => {
    it("are those of the SDK's calls, once `runhook types` has written them", async () => {
      const file = fileOf([
        ...Object.entries(cases).map(([slug, { schema }]) => task(slug, schema)),
        task("with-result", object({}), object({ pages: { type: "integer" } }, { required: ["pages"] }))
      ])
      const calls = Object.entries(cases).flatMap(([slug, { refuses, takes }]) => {
        const call = (params: JsonObject) =>
          `await runhook.executions.create<"${slug}">({ agent_id, task_id, params: ${JSON.stringify(params)} })`
        return [...takes.map(call), ...refuses.map((params) => `// @ts-expect-error\n${call(params)}`)]
      })
      const program = `
      import { Runhook } from "@runhook/sdk"
      import type { Runhook as InEffect } from "@runhook/sdk/effect"
      import type { Account } from "@runhook/sdk/admin"
      import type { Plain } from "./runhook.d.ts"
      declare const [runhook, account, inEffect]: [Runhook, Account, InEffect["Service"]]
      declare const [agent_id, task_id]: [string, string]
      ${calls.join("\n")}
      const params: Plain.Params = { url: "" }
      await account.executions.create<"plain">({ key_id: "", agent_id, task_id, params })
      inEffect.executions.createAndWait<"plain">({ agent_id, task_id, params })
      // What needs no params may be given none.
      await runhook.executions.validate<"closed">({ agent_id, task_id })
      // @ts-expect-error
      await runhook.executions.createAndWait<"plain">({ agent_id, task_id })
      // @ts-expect-error
      await runhook.executions.create<"unknown">({ agent_id, task_id })
      // A misspelt name, although the service would take it.
      // @ts-expect-error
      await runhook.executions.create<"plain">({ agent_id, task_id, params: { url: "", page: 1 } })
      const shown = await runhook.executions.get<"with-result">("")
      const waited = await runhook.executions.waitFor<"with-result">("")
      const pages: number | undefined = shown.result?.pages ?? waited.result?.pages
      // @ts-expect-error
      const wrong: string | undefined = shown.result?.pages
      console.log(pages, wrong, shown.status)
      // Without a name a task is any.
      const { result } = await runhook.executions.createAndWait({ agent_id, task_id, params: { any: ["thing"] } })
      const any: unknown = result?.["thing"]
      console.log(any)`

      const folder = await installation().folderWith(["@runhook/sdk", "effect"])
      await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
      await writeFile(join(folder, "runhook.d.ts"), file)
      await writeFile(join(folder, "program.ts"), program)

      assert.strictEqual(await complaints(folder, ["runhook.d.ts", "program.ts"]), "")
    })

    it("take what the service takes, and refuse what it refuses", async () => {
      const judged = Effect.forEach(Object.values(cases), ({ refuses, schema, takes }) =>
        Effect.forEach([...takes, ...refuses], (value) =>
          Effect.map(breaches(schema, value), (found) => found.length === 0)
        )
      )

      const taken = await Effect.runPromise(Effect.provide(judged, layer))

      assert.deepStrictEqual(
        taken,
        Object.values(cases).map(({ refuses, takes }) => [
          ...takes.map(() => true),
          ...refuses.map(() => false)
        ])
      )
    })
  })
