import { assert, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Schema from "effect/Schema"
import { AdminApi } from "../src/AdminApi.ts"
import { Compressible } from "../src/Compression.ts"
import { IntegrationApi } from "../src/IntegrationApi.ts"
import { RunnerApi } from "../src/RunnerApi.ts"

const compressible: Array<HttpApiEndpoint.Top> = []
const noting = {
  onGroup: () => {},
  onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    if (Context.get(endpoint.annotations, Compressible)) compressible.push(endpoint)
  }
}
HttpApi.reflect(IntegrationApi, noting)
HttpApi.reflect(RunnerApi, noting)
HttpApi.reflect(AdminApi, noting)

/** The names of all fields in an answer of the endpoint. */
const fieldsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<string> => {
  const schemas = [...endpoint.success].map((schema) => JSON.stringify(Schema.toJsonSchemaDocument(schema)))
  return [...schemas.join().matchAll(/"([a-z]\w*)":\{/g)].map(([, name = ""]) => name)
}

it("only what reads catalogs and counts may be compressed", () => {
  assert.sameMembers(
    compressible.map(({ method, path }) => `${method} ${path.replace("/api/v1", "")}`),
    [
      "GET /integrations/tasks",
      "GET /integrations/agents",
      "GET /admin/accounts/:account_id/agents",
      "GET /admin/accounts/:account_id/tasks",
      "GET /admin/accounts/:account_id/tasks/:task_id/versions",
      "GET /admin/accounts/:account_id/usage",
      "GET /admin/accounts/:account_id/overview"
    ]
  )
})

it("no answer that may be compressed has a key, a secret, a URL, or what callers sent", () => {
  const telling = /(?:^|_)(?:key|secret|token|signature|url|params|result|metadata|headers|body|cookie)$/

  const fields = compressible.flatMap(fieldsOf)

  assert.isAbove(fields.length, 50)
  assert.deepStrictEqual(
    fields.filter((name) => telling.test(name)),
    []
  )
})
