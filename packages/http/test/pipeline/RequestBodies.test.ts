import { assert, describe } from "@effect/vitest"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import * as Predicate from "effect/Predicate"
import * as Struct from "effect/Struct"
import { type Operation, operations } from "../Documented.ts"
import { endpoints, tenantHost } from "../Endpoints.ts"
import { errorOf } from "../Hosts.ts"
import { test } from "../Service.ts"

const takers = endpoints.filter(({ takesBody }) => takesBody)

/** The example of an operation's body, but for what is judged later or item by item; empty where it takes none. */
const exampleOf = ({ description }: Operation): unknown => {
  const media = partOf(partOf(partOf(description["requestBody"])["content"])["application/json"])
  return Struct.omit(partOf(media["example"]), ["callback_url", "items", "outcomes"])
}

/** The JSON with another text in place of each of its texts, one at a time. */
const withText = (value: unknown, text: string): ReadonlyArray<unknown> => {
  if (typeof value === "string") return [text]
  if (Array.isArray(value)) {
    return value.flatMap((item, place) => withText(item, text).map((each) => value.with(place, each)))
  }
  if (!Predicate.isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    withText(item, text).map((each) => ({ ...value, [key]: each }))
  )
}

const apiOf = ({ path }: Operation): string =>
  path.startsWith("/api/v1/admin") ? "admin" : path.startsWith("/api/v1/runner") ? "runner" : "integration"

/** A path with these instead of its parameters. */
const pathOf = ({ path }: Operation, id: string): string => path.replaceAll(/\{[^}]+\}/g, id)

/** The parameters of a query that are moments. */
const momentsIn = ({ description }: Operation): ReadonlyArray<string> => {
  const parameters = description["parameters"]
  return (Array.isArray(parameters) ? parameters.map(partOf) : []).flatMap((parameter: Part) =>
    parameter["in"] === "query" && partOf(parameter["schema"])["format"] === "date-time"
      ? [String(parameter["name"])]
      : []
  )
}

const extremes = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+23:59",
  "0001-01-01T00:00:00Z",
  "1969-12-31T23:59:59Z",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "9999-12-31T23:59:59-23:59",
  "+275760-09-13T00:00:00Z"
]

describe("the body of a request, at every endpoint that takes one", () => {
  test("is UTF-8, or the first byte that is none is named", function* () {
    const { send } = yield* tenantHost
    const body = Uint8Array.from([...new TextEncoder().encode('{"name":"'), 0xff, 0x22, 0x7d])

    for (const { api, method, path } of takers) {
      const answer = yield* send(api, path, { method, body })

      assert.strictEqual(answer.status, 400, `${method} ${path}`)
      const { message } = yield* errorOf(answer)
      assert.strictEqual(message, "body: must be UTF-8, which it is not at byte 9")
    }
    assert.isAbove(takers.length, 20)
  })

  test("is no null, also where it may be left out", function* () {
    const { send } = yield* tenantHost

    for (const { api, method, path } of takers) {
      const answer = yield* send(api, path, { method, body: "null" })

      assert.include([400, 422], answer.status, `${method} ${path}`)
      assert.match((yield* errorOf(answer)).message, /^body: /)
    }
  })

  test("has no half of a surrogate pair in any text", function* () {
    const { send, tenant } = yield* tenantHost
    let count = 0

    for (const operation of operations) {
      for (const changed of withText(exampleOf(operation), "\ud800")) {
        count += 1
        const answer = yield* send(apiOf(operation), pathOf(operation, tenant.account.id), {
          method: operation.method,
          body: JSON.stringify(changed)
        })
        // A token that is none is refused as such.
        assert.include([400, 401, 422], answer.status, `${operation.path} ${JSON.stringify(changed)}`)
      }
    }
    assert.isAbove(count, 40)
  })
})

describe("moments in a query", () => {
  test("may be any, and those that cannot be shown are refused", function* () {
    const { send, tenant } = yield* tenantHost
    let count = 0

    for (const operation of operations) {
      for (const name of momentsIn(operation)) {
        for (const moment of extremes) {
          count += 1
          const path = `${pathOf(operation, tenant.account.id)}?${name}=${encodeURIComponent(moment)}`
          const answer = yield* send(apiOf(operation), path, { method: operation.method })
          assert.include([200, 400, 422], answer.status, `${path}`)
        }
      }
    }
    assert.isAbove(count, 8 * 8)
  })
})
