import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { secretPaths } from "../src/SecretPaths.ts"

const hidden = { writeOnly: true }

/** The paths as pointers. */
const found = (schema: JsonObject, value: JsonObject) =>
  secretPaths(schema)?.(value).map((path) => path.map((step) => `/${step}`).join(""))

describe("the secret parts of a value", () => {
  it.each<readonly [string, JsonObject, JsonObject, ReadonlyArray<string>]>([
    ["by name", { properties: { a: hidden, b: {} } }, { a: 1, b: 2, c: 3 }, ["/a"]],
    [
      "at any depth, the outermost alone",
      { properties: { a: { properties: { b: { ...hidden, properties: { c: hidden } } } } } },
      { a: { b: { c: 1 } } },
      ["/a/b"]
    ],
    ["by pattern", { patternProperties: { "^s_": hidden } }, { s_1: 1, t_1: 2, as_: 3 }, ["/s_1"]],
    [
      "by what is left for additionalProperties and unevaluatedProperties",
      { properties: { a: {} }, additionalProperties: hidden },
      { a: 1, b: 2 },
      ["/b"]
    ],
    ["in lists", { properties: { a: { items: hidden } } }, { a: [1, 2] }, ["/a/0", "/a/1"]],
    [
      "in places of lists, of both drafts",
      {
        properties: {
          a: { prefixItems: [{}, hidden], items: {} },
          b: { items: [hidden], additionalItems: {} }
        }
      },
      { a: [1, 2, 3], b: [1, 2] },
      ["/a/1", "/b/0"]
    ],
    [
      "behind references by pointer, with escapes, and by anchor",
      {
        properties: { a: { $ref: "#/$defs/x~1y" }, b: { $ref: "#secret" }, c: {} },
        $defs: { "x/y": hidden, z: { ...hidden, $anchor: "secret" } }
      },
      { a: 1, b: 2, c: 3 },
      ["/a", "/b"]
    ],
    [
      "in a schema that refers to itself",
      {
        $defs: { node: { properties: { key: hidden, next: { $ref: "#/$defs/node" } } } },
        $ref: "#/$defs/node"
      },
      { key: 1, next: { key: 2, next: { key: 3 } } },
      ["/key", "/next/key", "/next/next/key"]
    ],
    [
      "by any of the schemas that may apply",
      {
        allOf: [{ properties: { a: hidden } }],
        anyOf: [{ properties: { b: hidden } }, {}],
        oneOf: [{ not: { properties: { c: hidden } } }],
        else: { properties: { d: hidden } },
        dependentSchemas: { a: { properties: { e: hidden } } }
      },
      { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 },
      ["/a", "/b", "/c", "/d", "/e"]
    ],
    ["all of them, where the params are", { ...hidden, properties: {} }, { a: 1, b: [2] }, ["/a", "/b"]],
    ["but for what only says false", { properties: { a: { writeOnly: false }, b: hidden } }, { a: 1 }, []]
  ])("are found %s", (_, schema, value, expected) => {
    assert.sameMembers([...(found(schema, value) ?? [])], [...expected])
  })

  it("are not looked for by a schema that names none", () => {
    assert.isNull(secretPaths({ properties: { a: { type: "string" } } }))
  })

  it("are all of a value that would take too long to look through", () => {
    const each = { properties: { a: { items: { properties: { b: {} } } }, z: hidden } }
    const schema = { allOf: Array.from({ length: 60 }, () => structuredClone(each)) }
    const value = { a: Array.from({ length: 20_000 }, () => ({ b: 1 })), c: 1 }

    assert.deepStrictEqual(found(schema, value), ["/a", "/c"])
  })
})
