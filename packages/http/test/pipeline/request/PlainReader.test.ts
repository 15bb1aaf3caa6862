import { assert, describe, it } from "@effect/vitest"
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { requestParsing } from "@runhook/contract/RequestRules"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { isJsonObject } from "@runhook/core/shared/json/Json"
import * as Exit from "effect/Exit"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { plainReader, unclear } from "../../../src/pipeline/request/PlainReader.ts"

type Read = Schema.Codec<unknown>

/** Everything that requests are read by: their paths, queries, headers and bodies. */
const requestsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<{ readonly name: string; readonly schema: Read }> => {
  const found: Array<{ readonly name: string; readonly schema: Read }> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { headers, identifier, params, payload, query }, group }) => {
      const bodies = [...payload.values()].flatMap(({ schemas }) => schemas)
      for (const schema of [params, query, headers, ...bodies]) {
        if (schema === undefined) continue
        found.push({ name: `${group.identifier}.${identifier}`, schema: Schema.make<Read>(schema.ast) })
      }
    }
  })
  return found
}

/** A claim has outcomes of any form, and a batch items, which no generator makes. */
const requests = [...requestsOf(AdminApi), ...requestsOf(IntegrationApi), ...requestsOf(RunnerApi)].filter(
  ({ name }) => name !== "runner.claim" && name !== "executions.createBatch"
)

describe("plainReader", () => {
  for (const { name, schema } of requests) {
    const read = plainReader(schema.ast, requestParsing)
    const decode = Schema.decodeUnknownExit(schema, requestParsing)
    const encode = Schema.encodeSync(schema)

    it.prop(
      `reads what the schema reads, or nothing: ${name}`,
      [schema],
      ([made]) => {
        const sent = encode(made)
        const fields = isJsonObject(sent) ? Object.keys(sent) : []
        const others = fields.flatMap((field) => [
          { ...Object(sent), [field]: undefined },
          without(sent, field)
        ])
        for (const value of [sent, ...others, { ...Object(sent), unknown: 1 }, null, [sent]]) {
          const plain = read(value)
          if (plain !== unclear) assert.deepStrictEqual(Exit.succeed(plain), decode(value))
        }
      },
      // The reader is one for all requests, of which there are hundreds.
      { arbitrary: { runs: 20 } }
    )
  }

  it("reads an ordinary request by itself", () => {
    const id = "01993cf1-a1b2-7cde-8abc-0123456789ab"
    const [body] = IntegrationApi.groups.executions.endpoints.create.payload.values()
    const read = plainReader(Schema.Union(body?.schemas ?? []).ast, requestParsing)
    const sent = { agent_id: id, task_id: id, params: { copies: 2 }, metadata: { a: "b" } }

    assert.deepStrictEqual(read(sent), sent)
    assert.strictEqual(read({ ...sent, agent_id: id.toUpperCase() }), unclear)
    assert.strictEqual(read({ ...sent, color: "red" }), unclear)
  })
})

const without = (sent: unknown, field: string): unknown =>
  Object.fromEntries(Object.entries(Object(sent)).filter(([name]) => name !== field))
