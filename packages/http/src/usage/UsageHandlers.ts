/** Operators and the usage of an account. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { pageSizeDefault } from "@runhook/core/shared/Page"
import { Usage } from "@runhook/core/usage/Usage"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { toApiError } from "../errors/ErrorTable.ts"
import { handlersOf } from "../pipeline/Handlers.ts"
import { overviewFields, receiverItem, usageItem, usageTotal } from "./UsageToWire.ts"

export const UsageHandlers = handlersOf(
  AdminApi,
  "usage",
  Effect.fnUntraced(function* (handle) {
    const usage = yield* Usage

    return handle({
      counted: Effect.fnUntraced(function* ({ params, query }) {
        const { by = "hour", group = "none" } = query
        const { isMore, range, sums, totals } = yield* usage.counted({
          accountId: params.account_id,
          by,
          group,
          apiKeyId: query.key_id ?? null,
          taskId: query.task_id ?? null,
          from: query.from ?? null,
          to: query.to ?? null
        })
        return {
          by,
          group,
          from: range.from,
          to: DateTime.subtract(range.to, { milliseconds: 1 }),
          data: sums.map(usageItem),
          totals: totals.map(usageTotal),
          is_more: isMore
        }
      }, toApiError),

      receivers: Effect.fnUntraced(function* ({ params, query }) {
        const { isMore, receivers } = yield* usage.receivers(
          params.account_id,
          query.limit ?? pageSizeDefault
        )
        return {
          data: receivers.map(receiverItem),
          is_more: isMore
        }
      }, toApiError),

      overview: Effect.fnUntraced(function* ({ params }) {
        const standing = yield* usage.standing(params.account_id)
        return overviewFields(standing)
      }, toApiError)
    })
  })
)
