/** What the errors of calls tell, and what is no error. */
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import { json, refusal } from "../RawServer.ts"
import { look, type Scenario } from "./Scenario.ts"

const classes: ReadonlyArray<readonly [number, string, string]> = [
  [400, "invalid_request", "InvalidRequestError"],
  [401, "unauthorized", "UnauthorizedError"],
  [403, "forbidden", "ForbiddenError"],
  [404, "not_found", "NotFoundError"],
  [409, "idempotency_conflict", "IdempotencyConflictError"],
  [422, "invalid_params", "InvalidParamsError"],
  [429, "concurrency_limit_reached", "ConcurrencyLimitReachedError"],
  [429, "rate_limited", "RateLimitedError"],
  [500, "internal_error", "InternalError"],
  [418, "of_a_later_version", "ApiError"]
]

const empty: Answer = (response) => void response.writeHead(204).end()

export const refusals: ReadonlyArray<Scenario> = [
  ...classes.map(([status, code, error]) => ({
    title: `has a class for ${status} ${code} that tells all there is to tell`,
    ...look,
    answers: [refusal(status, code)],
    limits: { retries: 0 },
    ends: {
      error,
      message: `refused: ${code}`,
      status,
      code,
      details: { why: code },
      requestId: "req_2",
      attempts: 1,
      executionId: null
    }
  })),
  ...["[]", "null", '"text"', "", '{"error":null}', '{"error":{"code":7}}'].map((text) => ({
    title: `tells a refusal in another form than the service's apart, as ${JSON.stringify(text)}`,
    ...look,
    answers: [
      (response: Parameters<ReturnType<typeof json>>[0]) =>
        void response.writeHead(404, { "content-type": "text/plain" }).end(text)
    ],
    ends: { error: "UnexpectedAnswerError", status: 404, body: text }
  })),
  {
    title: "says what else than the service answered, without the key",
    ...look,
    answers: [(response, { headers }) => void response.end(`<h1>Hello ${headers.authorization}</h1>`)],
    limits: { retries: 0 },
    ends: {
      error: "UnexpectedAnswerError",
      status: 200,
      body: "<h1>Hello Bearer [key]</h1>"
    }
  },
  {
    title: "takes no success that is not an object for one",
    ...look,
    answers: [json(200, [])],
    ends: { error: "UnexpectedAnswerError", status: 200, requests: 1 }
  },
  {
    title: "takes a success without a body for somebody else's where the call has an answer",
    ...look,
    answers: [empty],
    ends: { error: "UnexpectedAnswerError", status: 204, requests: 1 }
  },
  {
    title: "answers null to a request of one's own that has no answer",
    answers: [empty],
    call: ({ request }) => request({ method: "DELETE", path: "/things/1" }),
    python: "request('DELETE', '/things/1')",
    go: 'raw(ctx, client, Request{Method: "DELETE", Path: "/things/1"})',
    ends: { value: null, requests: 1, paths: ["/things/1"] }
  }
]
