/** The correlation id of a request: in every body, in `X-Request-Id`, and in the log. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

export const RequestId = Schema.String.check(Schema.isPattern(/^req_[0-9a-z]+$/u)).annotate({
  description: "Correlation id of the request; the same as in the X-Request-Id header.",
  examples: ["req_0mk2x8c1q7"]
})

/** The id of the request being answered. */
export const CurrentRequestId = Context.Reference<string>("@runhook/contract/RequestId", {
  defaultValue: () => "req_none"
})
