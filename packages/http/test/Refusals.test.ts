import { assert, describe } from "@effect/vitest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import { bodySizeMax } from "../src/limits/BodySize.ts"
import { type Operation, operations, operationsAt, statusesOf } from "./Documented.ts"
import { errorOf, id } from "./Hosts.ts"
import { Host, test } from "./Service.ts"
import { makeTenant, type Tenant } from "./Tenant.ts"

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{[^}]+\}/g, id)
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The documents themselves are not of the contract, and are served to everyone alike. */
const served = operations.filter(({ path }) => !path.endsWith("/openapi.json"))

const keyFor = ({ path }: Operation, { key, runnerKey }: Tenant): string =>
  path.startsWith("/api/v1/admin") ? adminKey : path.startsWith("/api/v1/runner") ? runnerKey.key : key.key

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const provocations = [
  { status: 406, by: "a wish for another form", headers: { accept: "text/html" } },
  {
    status: 413,
    by: "a large body",
    headers: { "content-type": "application/json", "content-length": String(Number(bodySizeMax) + 1) }
  },
  { status: 415, by: "a body of another form", headers: { "content-type": "text/plain" } }
]

describe("refusals", () => {
  test.each(provocations)(
    "come with $status, by $by, where it is documented",
    function* ({ headers, status }) {
      const send = yield* Host
      const tenant = yield* makeTenant()
      const refused: Array<string> = []

      for (const operation of served) {
        const answer = yield* send(pathOf(operation), {
          method: operation.method,
          headers: { ...headers, authorization: `Bearer ${keyFor(operation, tenant)}` }
        })
        if (answer.status === status) {
          yield* errorOf(answer)
          refused.push(nameOf(operation))
        }
      }

      const documented = served.filter((operation) => statusesOf(operation).includes(status)).map(nameOf)
      assert.deepStrictEqual(refused, documented)
      assert.isNotEmpty(refused)
    }
  )

  test("of other methods come with 405 and name those that the documents have", function* () {
    const send = yield* Host

    for (const operation of served) {
      const answer = yield* send(pathOf(operation), { method: "PURGE" })
      const allowed = (answer.headers.get("allow") ?? "").split(", ")
      const documented = operationsAt(pathOf(operation)).map(({ method }) => method)
      assert.strictEqual(answer.status, 405)
      assert.include(statusesOf(operation), 405)
      assert.sameMembers(
        allowed.filter((method) => method !== "HEAD" && method !== "OPTIONS"),
        [...new Set(documented)]
      )
      for (const method of methods.filter((each) => !documented.includes(each))) {
        const other = yield* send(pathOf(operation), { method })
        assert.strictEqual(other.status, 405, `${method} ${operation.path}`)
      }
    }
  })
})
