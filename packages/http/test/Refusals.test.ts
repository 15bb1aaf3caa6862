import { assert, describe, it } from "@effect/vitest"
import { bodySizeMax } from "../src/BodySize.ts"
import * as Effect from "effect/Effect"
import { type Operation, operations, operationsAt, statusesOf } from "./Documented.ts"
import { errorOf, id } from "./Harness.ts"
import { Host, service } from "./Service.ts"

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{[^}]+\}/g, id)

/** What each status is provoked by, whatever the operation. */
const provocations: ReadonlyArray<{
  readonly status: number
  readonly by: string
  readonly requestTo: (operation: Operation) => RequestInit
}> = [
  {
    status: 406,
    by: "a wish for another form",
    requestTo: ({ method }) => ({ method, headers: { accept: "text/html" } })
  },
  {
    status: 413,
    by: "a large body",
    requestTo: ({ method }) => ({
      method,
      headers: { "content-type": "application/json", "content-length": String(Number(bodySizeMax) + 1) }
    })
  },
  {
    status: 415,
    by: "a body of another form",
    requestTo: ({ method }) => ({ method, headers: { "content-type": "text/plain" } })
  }
]

/** Served outside of these tests' host: by a route of its own. */
const isServedHere = ({ path }: Operation) => !path.endsWith("/openapi.json")

const cases = operations.filter(isServedHere).map((operation) => ({
  operation,
  name: `${operation.method} ${operation.path}`
}))

describe("refusals", () => {
  it.effect.each(cases)("of $name are documented, and those documented come", ({ operation }) =>
    Effect.gen(function* () {
      const send = yield* Host

      for (const { by, requestTo, status } of provocations) {
        const answer = yield* send(pathOf(operation), requestTo(operation))
        const isDocumented = statusesOf(operation).includes(status)
        assert.strictEqual(answer.status === status, isDocumented, `${by} is answered ${answer.status}`)
        yield* errorOf(answer)
      }
    }).pipe(Effect.provide(service))
  )

  it.effect("of other methods name those that the documents have", () =>
    Effect.gen(function* () {
      const send = yield* Host

      for (const { operation } of cases) {
        const answer = yield* send(pathOf(operation), { method: "PURGE" })
        const allowed = (answer.headers.get("allow") ?? "").split(", ")
        const documented = operationsAt(pathOf(operation)).map(({ method }) => method)
        assert.strictEqual(answer.status, 405)
        assert.include(statusesOf(operation), 405)
        assert.sameMembers(
          allowed.filter((method) => method !== "HEAD" && method !== "OPTIONS"),
          [...new Set(documented)]
        )
      }
    }).pipe(Effect.provide(service))
  )
})
