import { assert, describe, it } from "@effect/vitest"
import { WebhookEventType } from "@runhook/core/deliveries/WebhookEventType"
import * as Equal from "effect/Equal"
import { partOf } from "../src/openapi/Document.ts"
import { type ApiName, apiNames, documents, operationsOf, placesOf } from "./Documents.ts"

const schemasOf = (name: ApiName) => Object.entries(documents[name].components.schemas)

/** The places of what callers send and are answered. */
const placesOfCalls = (name: ApiName) =>
  placesOf(documents[name].paths).filter(({ path }) => !path.includes("callbacks"))

/** The components that are named directly in these parts of operations. */
const namedUnder = (name: ApiName, place: string): ReadonlyArray<string> =>
  placesOfCalls(name).flatMap(({ path, part }) => {
    const reference = String(part["$ref"] ?? "")
    return path.includes(place) && reference.startsWith(schemaPrefix)
      ? [reference.slice(schemaPrefix.length)]
      : []
  })

const schemaPrefix = "#/components/schemas/"

const isVariable = (segment: string): boolean => segment.startsWith("{")

/** Whether a parameter of the path takes nothing but ids, and so no word. */
const isId = (name: ApiName, path: string, variable: string): boolean =>
  Object.values(partOf(documents[name].paths[path as keyof (typeof documents)[ApiName]["paths"]])).every(
    (operation) =>
      placesOf(partOf(operation)["parameters"]).some(
        ({ part }) =>
          `{${String(part["name"])}}` === variable &&
          JSON.stringify(part["schema"]).includes('"format":"uuid"')
      )
  )

/** Whether a URL may be of both paths, and neither has more words. */
const areConfused = (name: ApiName, one: string, other: string): boolean => {
  const [first, second] = [one.split("/"), other.split("/")]
  const count = (segments: ReadonlyArray<string>) => segments.filter(isVariable).length
  if (first.length !== second.length || count(first) !== count(second)) return false
  return first.every((segment, place) => {
    const beside = second[place] ?? ""
    if (isVariable(segment) === isVariable(beside)) return isVariable(segment) || segment === beside
    return isVariable(segment) ? !isId(name, one, segment) : !isId(name, other, beside)
  })
}

const isClosed = (schema: unknown) =>
  placesOf(schema).some(({ part }) => part["additionalProperties"] === false)

describe.each(apiNames)("the OpenAPI document of the %s API", (name) => {
  it("has no constant but texts, and no set of words without a name, as generated Java would not compile", () => {
    const fields = placesOf(documents[name].components).flatMap(({ part, path }) =>
      Object.entries(path.includes("example") ? {} : partOf(part["properties"]))
    )
    const schemas = fields.flatMap(([field, schema]) =>
      placesOf(schema).map(({ part }) => ({ field, part, type: partOf(schema)["type"] }))
    )

    assert.isAbove(schemas.length, 100)
    assert.deepStrictEqual(
      schemas.filter(
        ({ part, type }) =>
          type === "null" ||
          typeof part["const"] === "boolean" ||
          typeof part["const"] === "number" ||
          /^\[(?:true|false|[\d.]+)\]$/.test(JSON.stringify(part["enum"] ?? "")) ||
          (part["uniqueItems"] === true && "enum" in partOf(part["items"]))
      ),
      []
    )
  })

  it("has no URL that two paths mean: where one has a word, the other has none or an id in its place", () => {
    const paths = Object.keys(documents[name].paths)
    const mistaken = paths.flatMap((one) =>
      paths.filter((other) => one < other && areConfused(name, one, other)).map((other) => [one, other])
    )

    assert.isNotEmpty(paths)
    assert.deepStrictEqual(mistaken, [])
  })

  it("closes the bodies of requests, and opens those of answers", () => {
    const closed = schemasOf(name).flatMap(([component, schema]) => (isClosed(schema) ? [component] : []))

    const requested = namedUnder(name, "requestBody")
    const answered = namedUnder(name, "responses")

    assert.includeMembers(closed, [...requested])
    assert.deepStrictEqual(
      closed.filter((component) => answered.includes(component)),
      []
    )
    assert.isNotEmpty(requested)
  })

  it("has one schema for every error, and says with each answer which codes it has", () => {
    const refused = placesOfCalls(name).filter(
      ({ path }) => path.at(-2) === "responses" && Number(path.at(-1)) >= 400
    )

    assert.isNotEmpty(refused)
    for (const { part, path } of refused) {
      const json = partOf(partOf(part["content"])["application/json"])
      assert.deepStrictEqual(json["schema"], { $ref: `${schemaPrefix}Error` }, path.join(" "))
      assert.match(String(part["description"]), /\w \((`[a-z_]+`(, )?)+\)$/, path.join(" "))
    }
    assert.deepStrictEqual(
      schemasOf(name).flatMap(([component]) => (component.endsWith("Error") ? [component] : [])),
      ["Error"]
    )
  })

  it("says all rules of a value in one schema", () => {
    const scattered = placesOf(documents[name]).filter(({ part }) => "allOf" in part)

    assert.deepStrictEqual(
      scattered.map(({ path }) => path.join(" ")),
      []
    )
  })

  it("has no body whose media type is left open", () => {
    const media = placesOf(documents[name]).filter(({ path }) => path.at(-1) === "content")

    const types = media.flatMap(({ part }) => Object.keys(part))

    assert.includeMembers(
      [
        "application/json",
        "application/jwk-set+json",
        "application/octet-stream",
        "text/csv",
        "text/event-stream"
      ],
      types
    )
  })

  it("names each schema from its paths, where all generators look", () => {
    const named = new Set<unknown>(
      placesOf([documents[name].paths, documents[name].components.schemas]).map(({ part }) => part["$ref"])
    )

    const unnamed = schemasOf(name).filter(([component]) => !named.has(schemaPrefix + component))

    assert.deepStrictEqual(unnamed, [])
  })

  it("has no empty cursors", () => {
    const cursors = placesOfCalls(name).filter(({ part }) => part["name"] === "cursor")

    for (const { part } of cursors) assert.strictEqual(partOf(part["schema"])["minLength"], 1)
  })

  it("says how long a callback URL may be, and that it is one", () => {
    const fields = placesOf(documents[name].components.schemas).filter(
      ({ path: [component = "", ...path] }) =>
        /^(AdminC|C)reate|TestWebhook$/.test(component) && path.at(-1) === "callback_url"
    )

    assert.lengthOf(fields, { integration: 2, runner: 0, admin: 3 }[name])
    for (const { part } of fields) assert.include(JSON.stringify(part), '"format":"uri","maxLength":2048')
  })

  it("names every component itself, so that names never change by chance", () => {
    const names = schemasOf(name).map(([component]) => component)

    for (const component of names) assert.match(component, /^[A-Z][A-Za-z]+$/)
    for (const component of names) assert.notMatch(component, /Encoded$/)
  })

  it("gives ids and instants their formats", () => {
    const texts = placesOf(documents[name].components.schemas).flatMap(({ part }) =>
      Object.entries(partOf(part["properties"])).map(
        ([field, schema]) => [field, JSON.stringify(schema)] as const
      )
    )
    const foreign = new Set(["request_id", "instance_id", "claim_id"])

    const ids = texts.filter(([field]) => /(^|_)id$/.test(field) && !foreign.has(field))
    const instants = texts.filter(([field]) => field.endsWith("_at"))

    for (const [field, schema] of ids) assert.include(schema, `"format":"uuid"`, field)
    for (const [field, schema] of instants) assert.include(schema, `"format":"date-time"`, field)
    assert.isNotEmpty(ids)
  })

  it("has keys presented as bearer tokens, spelt as viewers compare it", () => {
    const schemes = Object.values(documents[name].components.securitySchemes)

    // Beside them, who is signed in to the Integrations page has a cookie.
    const keys = schemes.filter((scheme) => partOf(scheme)["in"] !== "cookie")
    assert.deepStrictEqual(
      keys.map((scheme) => [scheme.type, partOf(scheme)["scheme"]]),
      [["http", "bearer"]]
    )
    assert.lengthOf(schemes, name === "admin" ? 2 : 1)
  })

  it("promises a request id with every answer", () => {
    const answers = placesOfCalls(name).filter(
      ({ path }) => path.at(-2) === "responses" && path.at(-1) !== "200"
    )

    for (const { part, path } of answers) assert.property(part["headers"], "x-request-id", path.join(" "))
  })

  it("lets only bodies be left out that may be", () => {
    const optional = placesOf(documents[name].paths).filter(
      ({ path, part }) => path.at(-1) === "requestBody" && part["required"] === false
    )

    const operations = optional.map(({ path: [route = ""] }) => route.slice(route.lastIndexOf("/") + 1))

    assert.includeMembers(["cancel", "console-links", "rerun", "rotate", "replays", "trigger"], operations)
  })
})

describe("the OpenAPI document of the integration API", () => {
  it("has the twelve endpoints of the specification under their exact paths", () => {
    const specified = [
      "POST /executions",
      "GET /executions",
      "GET /executions/{id}",
      "POST /executions/{id}/cancel",
      "GET /executions/{id}/artifacts",
      "GET /executions/{id}/files/{fileId}",
      "GET /tasks",
      "GET /tasks/{id}",
      "GET /tasks/{id}/params-schema",
      "GET /agents",
      "POST /webhooks/test",
      "GET /openapi.json"
    ]

    const served = operationsOf("integration").map((operation) =>
      operation.replace("/api/v1/integrations", "")
    )

    assert.includeMembers(served, specified)
  })

  it("wants a key everywhere but for itself and the public keys", () => {
    const open = placesOfCalls("integration").filter(({ part }) => Equal.equals(part["security"], []))

    assert.deepStrictEqual(
      open.map(({ path }) => path),
      [
        ["/api/v1/integrations/openapi.json", "get"],
        ["/.well-known/runhook/jwks.json", "get"]
      ]
    )
  })

  it("has all the error codes of the specification", () => {
    const codes = [
      "invalid_request",
      "unauthorized",
      "forbidden",
      "not_found",
      "rate_limited",
      "invalid_params",
      "idempotency_conflict",
      "concurrency_limit_reached",
      "internal_error"
    ]

    const described = placesOf(documents.integration.components.schemas)
      .filter(({ path }) => path.at(-1) === "code")
      .flatMap(({ part }) => part["enum"])

    assert.sameMembers([...new Set(described)], codes)
  })

  it("describes a webhook for every type of event, with its signature", () => {
    const webhooks = partOf(partOf(documents.integration)["webhooks"])

    assert.deepStrictEqual(Object.keys(webhooks), [...WebhookEventType.literals])
    for (const webhook of Object.values(webhooks)) {
      assert.include(JSON.stringify(webhook), `"name":"X-Webhook-Signature"`)
    }
  })

  it("says what a field is when it is left out", () => {
    const { CreateExecution } = documents.integration.components.schemas

    assert.deepInclude(partOf(partOf(CreateExecution)["properties"])["priority"], { default: 0 })
  })

  it("tells numbers in queries by their rules", () => {
    const limit = placesOf(documents.integration.paths)
      .map(({ part }) => part)
      .find((part) => part["name"] === "limit")

    assert.deepStrictEqual(limit?.["schema"], { type: "integer", minimum: 1, maximum: 200, default: 50 })
  })
})
