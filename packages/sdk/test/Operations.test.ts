/** What generators read of the contract: every endpoint says how it is called. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { assert, describe, it } from "vitest"
import { definitions } from "../generate/Definitions.ts"
import type { Operation } from "../generate/Operation.ts"
import { operations } from "../generate/Operations.ts"

/** The endpoints of all APIs: method and path without names of ids. */
const endpoints = [
  ...Object.values(IntegrationApi.groups).flatMap((group) => Object.values(group.endpoints)),
  ...Object.values(AdminApi.groups).flatMap((group) => Object.values(group.endpoints)),
  ...Object.values(RunnerApi.groups).flatMap((group) => Object.values(group.endpoints))
].map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "*")}`)

const endpointOf = ({ api, client, method, path }: Operation): string => {
  const root = { Integration: "integrations", Admin: "admin", Runner: "runner" }[api]
  const account = client === "account" ? "/accounts/*" : ""
  return `${method} /api/v1/${root}${account}${path.replaceAll(/\{\w+\}/g, "*")}`
}

const named = operations.map((operation) => [`${operation.client}.${operation.call}`, operation] as const)

describe("the calls of the contract", () => {
  it("are of every endpoint", () => {
    assert.sameMembers([...new Set(operations.map(endpointOf))], [...new Set(endpoints)])
  })

  it("have each a name of its own", () => {
    const names = named.map(([name]) => name)
    assert.deepStrictEqual(names, [...new Set(names)])
  })

  it("are plain values", () => {
    assert.deepStrictEqual(JSON.parse(JSON.stringify(operations)), operations)
  })

  it.each(named)("%s names types that there are", (_, { answers, body, query }) => {
    const names = new Set(definitions.map(({ name }) => name))
    const said = [...answers, body?.type, query?.type].filter((name) => typeof name === "string")
    assert.deepStrictEqual(
      said.filter((name) => !names.has(name)),
      []
    )
  })

  it.each(named.filter(([, { api }]) => api !== "Runner"))(
    "%s says what it does, by example",
    (name, operation) => {
      const { client, call, description, example, kind } = operation
      assert.match(description, /^[A-Z].*\.$/)
      assert.isNotEmpty(operation.summary)
      // A stream of changes is followed by hand-written code, which has the example.
      if (call === "changes.follow") return
      assert.include(example, `${client}.${call}`, name)
      if (kind === "list") assert.match(example ?? "", /for await|toArray/)
    }
  )

  it.each(named.filter(([, { path }]) => path.includes("{")))(
    "%s names the ids of its path",
    (_, { params, path }) => {
      assert.deepStrictEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        [...params]
      )
    }
  )
})
