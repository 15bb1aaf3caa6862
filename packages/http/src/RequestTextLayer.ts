/** Looks at the text of a request's query and body, which the schemas get the values of only. */
import { BodyRuleStatus, JudgedByItem, RequestText } from "@runhook/contract/RequestRules"
import { inexactNumbers } from "@runhook/core/domain/ExactNumbers"
import type { JsonIssue } from "@runhook/core/domain/JsonText"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { undecodableParameters, unreadParameters } from "./QueryText.ts"
import { issuesOf, refusal } from "./SchemaIssues.ts"

/** What is wrong with the text of items that are judged by themselves, each issue with its path in the body. */
export const ItemIssues = Context.Reference<ReadonlyArray<JsonIssue>>("@runhook/http/ItemIssues", {
  defaultValue: () => []
})

export const layer = Layer.succeed(
  RequestText,
  RequestText.of((handler, { endpoint }) => {
    const readsBody = endpoint.payload.size > 0
    const wrongParameters = endpoint.query === undefined ? unreadParameters : undecodableParameters
    const bodyStatus = Context.get(endpoint.annotations, BodyRuleStatus)
    const lists = Context.get(endpoint.annotations, JudgedByItem)
    const isOfItem = ({ path: [field = ""] }: JsonIssue) => lists.includes(field)

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const parameters = wrongParameters(request.url)
      if (parameters.length > 0) return yield* refusal(400, parameters)
      const numbers = readsBody ? inexactNumbers(yield* Effect.orDie(request.text)) : []
      const ofItems = numbers.filter(isOfItem)
      const ofBody = numbers.filter((issue) => !isOfItem(issue))
      if (ofBody.length > 0) return yield* refusal(bodyStatus, issuesOf("body", ofBody))
      return yield* ofItems.length === 0 ? handler : Effect.provideService(handler, ItemIssues, ofItems)
    })
  })
)
