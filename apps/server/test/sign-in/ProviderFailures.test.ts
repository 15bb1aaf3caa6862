import { assert, describe, it } from "@effect/vitest"
import { ClientError } from "openid-client"
import { failureOf } from "../../src/sign-in/ProviderFailures.ts"

/** An answer as a `fetch` gives it that is not Node's own. */
class OtherResponse {
  readonly status = 503
  readonly url = "https://id.example.com/keys?of=all"
  readonly [Symbol.toStringTag] = "Response"
}

describe("a failure of a provider", () => {
  it("is told by its answer, whichever fetch it came by", () => {
    const error = new ClientError("unexpected status", { cause: new OtherResponse() })

    const { detail, reason } = failureOf(error, "invalid")

    assert.deepStrictEqual([reason, detail], ["away", "unexpected status: 503 from /keys"])
  })
})
