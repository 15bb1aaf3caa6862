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

  it.each([
    ["\x16\x03\x01\x02\x00\x01\x00", "This port speaks HTTP, not HTTPS"],
    ["PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n", "not the PROXY protocol"],
    ["\r\n\r\n\0\r\nQUIT\n\x21\x11", "not the PROXY protocol"],
    ["HTTP /", "in capitals"]
  ])("that begin with %j names what is spoken there", (begins, message) => {
    const error = Object.assign(new Error("malformed"), {
      code: "HPE_INVALID_METHOD",
      rawPacket: Buffer.from(begins, "latin1")
    })

    const answer = malformedAnswer(error, "req_1")

    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.include(answer, message)
  })
})
