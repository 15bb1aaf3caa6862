import { assert, describe, it } from "@effect/vitest"
import { curlOf } from "../../src/reference/Curl.ts"
import { referenceOf } from "../../src/reference/Reference.ts"

const uuid = { type: "string", format: "uuid" }

const documentOf = (operation: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  security: [{ key: [] }],
  tags: [{ name: "things", description: "Some things." }],
  paths: {
    "/things/{id}": {
      post: { tags: ["things"], operationId: "things.make", summary: "Make it", ...operation }
    }
  },
  ...more
})

const operationIn = (document: Record<string, unknown>) => {
  const operation = referenceOf(document).subjects[0]?.operations[0]
  assert.isDefined(operation)
  return operation
}

const bodyWith = (content: object) => ({
  requestBody: { required: true, content: { "application/json": content } }
})

const call = { baseUrl: "https://runhook.example", keyVariable: "KEY" }

const path = { name: "id", in: "path", required: true, schema: uuid }

describe("a reference", () => {
  it("shows the fields of an object, and of those in it, by their full names", () => {
    const operation = operationIn(
      documentOf(bodyWith({ schema: { $ref: "#/components/schemas/Thing" } }), {
        components: {
          schemas: {
            Thing: {
              type: "object",
              required: ["name"],
              properties: {
                name: { type: "string", description: "What it is called.", maxLength: 9, minLength: 1 },
                state: { type: "string", enum: ["on", "off"], default: "on" },
                parts: { type: "array", items: { $ref: "#/components/schemas/Part" } }
              }
            },
            Part: {
              type: "object",
              properties: { size: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] } }
            }
          }
        }
      })
    )

    assert.deepStrictEqual(operation.body?.shapes[0]?.fields, [
      {
        name: "name",
        type: "string",
        isRequired: true,
        description: "What it is called.",
        rules: ["1 to 9 characters."]
      },
      {
        name: "state",
        type: "string",
        isRequired: false,
        description: undefined,
        rules: ['One of "on", "off".', '"on" when left out.']
      },
      { name: "parts", type: "array of object", isRequired: false, description: undefined, rules: [] },
      {
        name: "parts[].size",
        type: "integer or null",
        isRequired: false,
        description: undefined,
        rules: ["At least 1."]
      }
    ])
  })

  it.each([{ const: true }, { enum: [true] }])(
    "says of a value without a choice what it is: %j",
    (schema) => {
      const document = documentOf(bodyWith({ schema: { type: "object", properties: { done: schema } } }))

      assert.deepStrictEqual(operationIn(document).body?.shapes[0]?.fields[0]?.rules, ["Always true."])
    }
  )

  it("ends where a schema is part of itself", () => {
    const tree = { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } }
    const document = documentOf(bodyWith({ schema: { $ref: "#/components/schemas/Tree" } }), {
      components: { schemas: { Tree: tree } }
    })

    assert.include(
      (operationIn(document).body?.shapes[0]?.fields ?? []).map(({ name }) => name),
      "child.child.child"
    )
  })

  it("takes the examples that the document gives, all of them", () => {
    const examples = { one: { summary: "The first", value: { a: 1 } }, two: { value: { a: 2 } } }

    assert.deepStrictEqual(operationIn(documentOf(bodyWith({ schema: {}, examples }))).body?.examples, [
      { title: "The first", value: { a: 1 } },
      { title: "two", value: { a: 2 } }
    ])
  })

  it("keeps operations that nobody has put under a subject", () => {
    const { subjects } = referenceOf(documentOf({ tags: ["unheard-of"] }))

    assert.deepStrictEqual(
      subjects.map(({ name, operations }) => [name, operations.length]),
      [["others", 1]]
    )
  })
})

describe("a subject", () => {
  it.each([
    ["things", "Things"],
    ["runnerKeys", "Runner keys"],
    ["secret-keys", "Secret keys"]
  ])("named %s is called %s", (name, title) => {
    const { subjects } = referenceOf(documentOf({ tags: [name] }, { tags: [{ name }] }))

    assert.deepStrictEqual(
      subjects.map((subject) => subject.title),
      [title]
    )
  })
})

describe("the command of an operation", () => {
  it("has the key, the path and the required fields in it", () => {
    const operation = operationIn(
      documentOf({
        parameters: [
          path,
          { name: "from", in: "query", required: true, schema: { type: "string" }, example: "a b" },
          { name: "limit", in: "query", schema: { type: "integer" } }
        ],
        ...bodyWith({
          schema: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string", examples: ["It's"] }, note: { type: "string" } }
          }
        })
      })
    )

    assert.strictEqual(
      curlOf(operation, call),
      [
        "curl -sS -X POST 'https://runhook.example/things/0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f?from=a%20b' \\",
        '  -H "Authorization: Bearer $KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        String.raw`  -d '{"name":"It'\''s"}'`
      ].join("\n")
    )
  })

  it("has no key where none is needed", () => {
    assert.strictEqual(
      curlOf(operationIn(documentOf({ security: [], parameters: [path] })), call),
      "curl -sS -X POST 'https://runhook.example/things/0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f'"
    )
  })
})
