/** Looks at the text of a request's query and body, which the schemas get the values of only. */
import { BodyRuleStatus, RequestText } from "@runhook/contract/RequestRules"
import { inexactNumbers } from "@runhook/core/domain/ExactNumbers"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { undecodableParameters, unreadParameters } from "./QueryText.ts"
import { issuesOf, refusal } from "./SchemaIssues.ts"

export const layer = Layer.succeed(
  RequestText,
  RequestText.of((handler, { endpoint }) => {
    const readsBody = endpoint.payload.size > 0
    const wrongParameters = endpoint.query === undefined ? unreadParameters : undecodableParameters
    const bodyStatus = Context.get(endpoint.annotations, BodyRuleStatus)

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const parameters = wrongParameters(request.url)
      if (parameters.length > 0) return yield* refusal(400, parameters)
      const numbers = readsBody ? inexactNumbers(yield* Effect.orDie(request.text)) : []
      if (numbers.length > 0) return yield* refusal(bodyStatus, issuesOf("body", numbers))
      return yield* handler
    })
  })
)
