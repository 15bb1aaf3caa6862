/** The answers of all APIs that are told in JSON. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import type { Json } from "@runhook/core/shared/json/Json"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

type JsonSchema = Schema.Codec<unknown, Json>

export interface Answer {
  /** The API, the endpoint and the status. */
  readonly name: string
  readonly schema: JsonSchema
}

const answersOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Answer> => {
  const answers: Array<Answer> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, group, successes }) => {
      for (const [status, schemas] of [...successes, ...errors]) {
        const name = `${api.identifier} ${group.identifier}.${endpoint.identifier} ${status}`
        answers.push(...schemas.filter(isJsonSchema).map((schema) => ({ name, schema })))
      }
    }
  })
  return answers
}

const encodingOf = SchemaAST.resolveAt<{ readonly _tag: string }>("~httpApiEncoding")

const isJsonSchema = (schema: Schema.Top): schema is JsonSchema =>
  (encodingOf(schema.ast)?._tag ?? "Json") === "Json" &&
  !HttpApiSchema.isNoContent(schema.ast) &&
  !HttpApiSchema.isWithHeaders(schema)

/** Each schema once: the errors of all endpoints are the same few. */
export const answers: ReadonlyArray<Answer> = [
  ...new Map(
    [...answersOf(IntegrationApi), ...answersOf(RunnerApi), ...answersOf(AdminApi)].map((answer) => [
      answer.schema.ast,
      answer
    ])
  ).values()
]
