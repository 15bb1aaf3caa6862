/** What each API takes and answers, gathered from the endpoints of the contract in their order. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { Changed, Many } from "@runhook/contract/accounts/ChangeWire"
import { EvidenceManifest } from "@runhook/contract/evidence/EvidenceWire"
import { ExecutionEvent, TestEvent } from "@runhook/contract/deliveries/WebhookWire"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as Schema from "effect/Schema"

export type Side = "answer" | "query" | "request"

/** A schema that an API speaks. */
export interface Spoken {
  readonly side: Side
  readonly schema: Schema.Top
  /** Where it stands, such as `executions.list query`: its name is looked up by that where the schema has none. */
  readonly place: string
}

const spokenBy = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Spoken> => {
  const spoken: Array<Spoken> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      const place = `${group.identifier}.${endpoint.identifier}`
      const add = (side: Side, schema: Schema.Top) => spoken.push({ side, schema, place: `${place} ${side}` })
      if (endpoint.query !== undefined) add("query", endpoint.query)
      for (const { schemas } of endpoint.payload.values())
        for (const schema of schemas) add("request", schema)
      for (const schemas of successes.values()) for (const schema of schemas) add("answer", schema)
    }
  })
  return spoken
}

/** What no endpoint answers as it is: callbacks, the events of a stream, whose data is text in it, and what evidence signs. */
const told = (place: string, schema: Schema.Top): Spoken => ({ side: "answer", schema, place })

export const apis = {
  Integration: [
    ...spokenBy(IntegrationApi),
    told("evidence", EvidenceManifest),
    told("callbacks", ExecutionEvent),
    told("callbacks", TestEvent)
  ],
  Admin: [...spokenBy(AdminApi), told("changes.follow change", Changed), told("changes.follow many", Many)],
  Runner: spokenBy(RunnerApi)
}

export type ApiName = keyof typeof apis
