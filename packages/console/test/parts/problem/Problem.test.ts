import * as Errors from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { problemOf } from "../../../src/parts/problem/Problem.ts"

const refusal = (more: Partial<Errors.ApiError>) => ({
  attempts: 1,
  code: "invalid_request",
  message: "body.name: must be shorter",
  details: null,
  status: 400,
  requestId: "req_1",
  ...more
})

describe("what an error means", () => {
  it.each([
    [new Errors.ConnectionError({ message: "away", attempts: 1 }), "lost", "Connection lost"],
    [new Errors.TimeoutError({ message: "late", attempts: 1 }), "lost", "Connection lost"],
    [new Errors.UnauthorizedError(refusal({ status: 401 })), "signed-out", "You were signed out"],
    [
      new Errors.ForbiddenError(refusal({ status: 403, details: { reason: "role", required: "admin" } })),
      "forbidden",
      "Your role is viewer"
    ],
    [new Errors.NotFoundError(refusal({ status: 404 })), "gone", "This delivery is not here"],
    [
      new Errors.RateLimitedError(refusal({ retryAfterMs: 12_000 })),
      "limited",
      "Too many requests, for 12 s"
    ],
    [new Errors.InvalidRequestError(refusal({ status: 409 })), "conflict", "It has changed in the meantime"],
    [new Errors.InvalidRequestError(refusal({ status: 422 })), "refused", "Check your input"],
    [new Errors.InternalError(refusal({ status: 500 })), "failed", "The server could not answer"],
    [new TypeError("a fault of ours"), "failed", "The server could not answer"]
  ])("%s is %s", (error, kind, title) => {
    const problem = problemOf(error, "delivery")

    assert.strictEqual(problem.kind, kind)
    assert.strictEqual(problem.title, title)
  })

  it("keeps the id of the request for the operator", () => {
    assert.strictEqual(problemOf(new Errors.InternalError(refusal({ status: 500 }))).requestId, "req_1")
  })

  it.each([
    [
      { issues: [{ path: ["body", "callback_url"], message: "must be a URL" }] },
      { callback_url: "Must be a URL." }
    ],
    [
      { issues: [{ path: ["body", "limits", "rate"], message: "must be positive" }] },
      { "limits.rate": "Must be positive." }
    ],
    [null, { name: "Must be shorter." }]
  ])("names the fields that are wrong: %j", (details, fields) => {
    assert.deepStrictEqual(problemOf(new Errors.InvalidRequestError(refusal({ details }))).fields, fields)
  })

  it("names the params that break their schema", () => {
    const details = [{ path: "/address/zip", keyword: "pattern", message: "does not match" }]

    assert.deepStrictEqual(
      problemOf(new Errors.InvalidParamsError(refusal({ details, status: 422 }))).fields,
      {
        "address.zip": "Does not match."
      }
    )
  })

  it("cuts sentences that are none", () => {
    const { text } = problemOf(new Errors.InvalidRequestError(refusal({ message: "x".repeat(5_000) })))

    assert.isAtMost(text.length, 202)
  })
})
