import { assert, describe, it } from "@effect/vitest"
import {
  AnswerClass,
  AttemptCause,
  type AttemptEnd,
  causeOf,
  causesOf,
  DeliveryCause,
  lowestStatusOf
} from "../../../src/deliveries/steps/AttemptCause.ts"

const byStatus: ReadonlyArray<readonly [status: number, cause: AttemptCause | null]> = [
  [200, null],
  [204, null],
  [299, null],
  [300, "redirected"],
  [302, "redirected"],
  [400, "bad_request"],
  [401, "unauthorized"],
  [403, "unauthorized"],
  [404, "not_found"],
  [405, "not_accepted"],
  [406, "not_accepted"],
  [410, "not_found"],
  [413, "too_large"],
  [415, "not_accepted"],
  [418, "bad_request"],
  [422, "bad_request"],
  [429, "rate_limited"],
  [499, "bad_request"],
  [500, "server_error"],
  [503, "server_error"],
  [599, "server_error"],
  [600, "invalid_answer"]
]

const before = { status: null, tls: "none" } as const
const connect = { ...before, phase: "connect" } as const
const securing = { ...connect, tls: "begun" } as const
const headers = { ...before, phase: "headers" } as const

const byCode: ReadonlyArray<readonly [end: AttemptEnd, cause: AttemptCause]> = [
  [{ ...before, phase: "policy", code: "TargetRefused" }, "blocked"],
  [{ ...before, phase: "policy", code: "AnythingElse" }, "send_failed"],
  [{ ...before, phase: "dns", code: "NameUnresolved" }, "dns"],
  [{ ...before, phase: "dns", code: "TimedOut" }, "dns"],
  [{ ...connect, code: "ECONNREFUSED" }, "connect_refused"],
  [{ ...connect, code: "TimedOut" }, "connect_timeout"],
  [{ ...connect, code: "ETIMEDOUT" }, "connect_timeout"],
  [{ ...connect, code: "UND_ERR_CONNECT_TIMEOUT" }, "connect_timeout"],
  [{ ...connect, code: "EHOSTUNREACH" }, "connect_failed"],
  [{ ...connect, code: "ENETUNREACH" }, "connect_failed"],
  [{ ...connect, code: "ECONNRESET" }, "connect_failed"],
  [{ ...connect, code: "Disconnected" }, "connect_failed"],
  [{ ...connect, code: "ProxyFailed" }, "connect_failed"],
  [{ ...securing, code: "CERT_HAS_EXPIRED" }, "tls_expired"],
  [{ ...securing, code: "CERT_NOT_YET_VALID" }, "tls_expired"],
  [{ ...securing, code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "tls_wrong_host"],
  [{ ...securing, code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "tls_untrusted"],
  [{ ...securing, code: "SELF_SIGNED_CERT_IN_CHAIN" }, "tls_untrusted"],
  [{ ...securing, code: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY" }, "tls_untrusted"],
  [{ ...securing, code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }, "tls_untrusted"],
  [{ ...securing, code: "ERR_SSL_WRONG_VERSION_NUMBER" }, "tls_failed"],
  [{ ...securing, code: "ECONNRESET" }, "tls_failed"],
  [{ ...securing, code: "TimedOut" }, "tls_failed"],
  [{ ...headers, phase: "request", code: "EPIPE" }, "send_failed"],
  [{ ...headers, code: "UND_ERR_SOCKET" }, "send_failed"],
  [{ ...headers, code: "TimedOut" }, "no_answer"],
  [{ ...headers, tls: "begun", code: "TimedOut" }, "no_answer"],
  [{ ...headers, code: "HTTPParserError" }, "invalid_answer"],
  [{ ...headers, code: "UND_ERR_HEADERS_OVERFLOW" }, "invalid_answer"],
  [{ ...headers, code: "TooManyInterimAnswers" }, "invalid_answer"],
  [{ ...headers, code: "AnswerTooLong" }, "invalid_answer"],
  [{ ...headers, code: "UnaskedStatus" }, "invalid_answer"],
  [{ ...headers, phase: "body", status: 200, code: "UND_ERR_SOCKET" }, "broken_off"],
  [{ ...headers, phase: "body", status: 200, code: "TimedOut" }, "broken_off"],
  [{ ...headers, phase: "body", status: 503, code: "UND_ERR_SOCKET" }, "server_error"],
  [{ ...headers, phase: "done", code: null }, "no_answer"]
]

describe("the cause of an attempt", () => {
  it.each(byStatus)("that was answered %i is %s", (status, cause) => {
    assert.strictEqual(causeOf({ phase: "done", status, code: null, tls: "none" }), cause)
  })

  it.each(byCode)("that ended with %o is %s", (end, cause) => {
    assert.strictEqual(causeOf(end), cause)
  })

  it("is each of those that there are", () => {
    const found = [...byStatus, ...byCode].map(([, cause]) => cause)

    assert.sameMembers(
      [...new Set(found)].filter((cause) => cause !== null),
      [...AttemptCause.literals]
    )
  })
})

describe("an answer", () => {
  it("has the causes that its statuses have, and each cause one answer", () => {
    const known = AnswerClass.literals.flatMap((answer) => causesOf(answer))

    assert.sameMembers(known, [...DeliveryCause.literals])
    assert.deepStrictEqual(causesOf("2xx"), ["broken_off"])
    assert.deepStrictEqual(causesOf("3xx"), ["redirected"])
    assert.sameMembers(
      [...causesOf("4xx")],
      ["unauthorized", "not_found", "not_accepted", "too_large", "bad_request", "rate_limited"]
    )
    assert.deepStrictEqual(causesOf("5xx"), ["server_error"])
    assert.include(causesOf("none"), "expired")
  })

  it("begins at its lowest status", () => {
    assert.deepStrictEqual(AnswerClass.literals.map(lowestStatusOf), [200, 300, 400, 500, null])
  })
})
