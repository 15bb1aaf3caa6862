/** Which attempts are followed by another, and when. */
import { type Answer, silence } from "@runhook/test-support/receivers/Receiver"
import { hangUp, refusal } from "../RawServer.ts"
import { create, created, look, type Scenario, times } from "./Scenario.ts"

const passing: ReadonlyArray<readonly [string, Answer]> = [
  ["408", refusal(408, "invalid_request")],
  ["429", refusal(429, "rate_limited")],
  ["500", refusal(500, "internal_error")],
  ["503 of a proxy", (response) => void response.writeHead(503).end("<html>")],
  ["a broken connection", hangUp],
  [
    "a body that breaks off",
    (response) => void response.writeHead(200, { "content-length": "9" }).write("{", () => response.destroy())
  ]
]

const away: ReadonlyArray<readonly [string, Answer]> = [
  ["no connection", hangUp],
  ["502", refusal(502, "internal_error")],
  ["503", refusal(503, "internal_error")],
  ["504", refusal(504, "internal_error")]
]

const soonOver: ReadonlyArray<readonly [number, string, string]> = [
  [408, "invalid_request", "InvalidRequestError"],
  [429, "rate_limited", "RateLimitedError"],
  [500, "internal_error", "InternalError"]
]

export const retries: ReadonlyArray<Scenario> = [
  ...passing.map(([name, answer]) => ({
    title: `is made again after ${name}, under the same idempotency key`,
    ...create,
    answers: [answer, answer, created],
    ends: { value: "e-1", requests: 3, keys: 1 }
  })),
  ...away.map(([name, answer]) => ({
    title: `goes on after ${name} until the service is back`,
    ...create,
    answers: [...times(10, answer), created],
    ends: { value: "e-1", requests: 11 }
  })),
  {
    title: "gives up a service that stays away for half a minute",
    ...create,
    answers: [hangUp],
    ends: {
      error: "ConnectionError",
      attempts: 11,
      pauses: [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000]
    }
  },
  ...soonOver.map(([status, code, error]) => ({
    title: `is made four times at most when a service that is there answers ${status}`,
    ...create,
    answers: [refusal(status, code)],
    ends: { error, attempts: 4, requests: 4 }
  })),
  ...[400, 401, 403, 404, 409, 422].map((status) => ({
    title: `is not made again after ${status}`,
    ...look,
    answers: [refusal(status, "invalid_request")],
    ends: { error: "InvalidRequestError", status, attempts: 1, requests: 1 }
  })),
  {
    title: "pauses a random time whose bound doubles up to 8 seconds",
    ...look,
    answers: [refusal(500, "internal_error")],
    limits: { retries: 7 },
    ends: { error: "InternalError", pauses: [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000] }
  },
  {
    title: "adds its random time to what Retry-After asks for",
    ...create,
    answers: [refusal(429, "rate_limited", { "retry-after": "7" }), created],
    ends: { value: "e-1", pauses: [7_250] }
  },
  {
    title: "compares a date in Retry-After with the service's own clock",
    ...create,
    answers: [
      refusal(503, "internal_error", {
        date: "Sat, 01 Jan 2000 00:00:00 GMT",
        "retry-after": "Sat, 01 Jan 2000 00:00:03 GMT"
      }),
      created
    ],
    ends: { value: "e-1", pauses: [3_250] }
  },
  {
    title: "pauses as always for a Retry-After that says nothing",
    ...create,
    answers: [refusal(503, "internal_error", { "retry-after": "soon" }), created],
    ends: { value: "e-1", pauses: [250] }
  },
  {
    title: "gives up at once when the service asks for more time than there is",
    ...create,
    answers: [refusal(429, "rate_limited", { "retry-after": "3600" })],
    ends: { error: "RateLimitedError", attempts: 1, retryAfterMs: 3_600_000, pauses: [] }
  },
  {
    title: "is made once with no retries",
    ...create,
    answers: [refusal(500, "internal_error")],
    limits: { retries: 0 },
    ends: { error: "InternalError", requests: 1, pauses: [] }
  },
  {
    title: "is made once when it may not take effect twice",
    answers: [hangUp],
    call: ({ request }) => request({ method: "POST", path: "/things", body: {} }),
    python: "request('POST', '/things', body={})",
    go: 'raw(ctx, client, Request{Method: "POST", Path: "/things", Body: JSON("{}")})',
    ends: { error: "ConnectionError", requests: 1 }
  },
  {
    title: "is made again after 429 even when it may not take effect twice",
    answers: [refusal(429, "rate_limited"), created],
    call: ({ request }) => request({ method: "POST", path: "/things", body: {} }),
    python: "request('POST', '/things', body={})",
    go: 'raw(ctx, client, Request{Method: "POST", Path: "/things", Body: JSON("{}")})',
    ends: { requests: 2, keys: 0 }
  },
  {
    title: "keeps the caller's idempotency key",
    answers: [hangUp, created],
    call: ({ request }) => request({ method: "POST", path: "/things", body: {}, idempotencyKey: "mine" }),
    python: "request('POST', '/things', body={}, idempotency_key='mine')",
    go: 'raw(ctx, client, Request{Method: "POST", Path: "/things", Body: JSON("{}"), IdempotencyKey: "mine"})',
    ends: { requests: 2, keys: 1 }
  },
  {
    title: "ends an attempt without an answer, and tries again",
    ...look,
    answers: [silence, silence],
    limits: { retries: 1, attemptTimeoutMs: 0 },
    ends: { error: "TimeoutError", attempts: 2 }
  },
  {
    title: "ends with its total time, retries or not",
    ...look,
    answers: [refusal(500, "internal_error")],
    limits: { timeoutMs: 10_000, retries: 100 },
    ends: { error: "InternalError", attempts: 6, pauses: [250, 500, 1_000, 2_000, 4_000] }
  }
]
