import { assert, describe, it } from "@effect/vitest"
import { malformedAnswer } from "../../src/errors/MalformedRequest.ts"

describe("the answer to bytes that are not a request", () => {
  it.each([
    ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout", "too long"],
    ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large", "16 KiB"],
    ["HPE_INVALID_URL", "400 Bad Request", "percent-encoded"],
    ["HPE_INTERNAL", "400 Bad Request", "not an HTTP request"]
  ])("of the code %s is %s, with the rule", (code, status, rule) => {
    const answer = malformedAnswer(Object.assign(new Error("malformed"), { code }), "req_1")

    const [head = "", body = ""] = answer.split("\r\n\r\n")
    assert.isTrue(head.startsWith(`HTTP/1.1 ${status}\r\n`))
    assert.include(head, "\r\ncross-origin-resource-policy: same-origin\r\n")
    assert.include(head, `Content-Length: ${new TextEncoder().encode(body).length}`)
    const { error } = JSON.parse(body)
    assert.include(error.message, rule)
    assert.deepInclude(error, { code: "invalid_request", request_id: "req_1" })
  })
})
