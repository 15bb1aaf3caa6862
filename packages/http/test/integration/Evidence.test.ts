import { createPublicKey, verify } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { EvidenceManifest } from "@runhook/contract/evidence/EvidenceWire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { baseUrl, Host, refusalOf, test } from "../Service.ts"
import { someWork } from "../Tenant.ts"

const KeySet = Schema.fromJsonString(
  Schema.Struct({
    keys: Schema.Array(
      Schema.Struct({
        kty: Schema.Literal("OKP"),
        crv: Schema.Literal("Ed25519"),
        use: Schema.Literal("sig"),
        alg: Schema.Literal("EdDSA"),
        kid: Schema.String,
        x: Schema.String
      })
    )
  })
)

const decodeManifest = Schema.decodeUnknownSync(Schema.fromJsonString(EvidenceManifest), {
  onExcessProperty: "error"
})

const textOf = (part: string | undefined) => Buffer.from(part ?? "", "base64url").toString()

describe("evidence of an execution, over the wire", () => {
  test("is a signature that everyone can verify who fetches the key set, without a key", function* () {
    const { account, admin, execution, held, integration, params, runner } = yield* someWork
    const host = yield* Host
    yield* runner.runner.complete({
      params: held.params,
      payload: { ...held.payload, outcome: "completed", result: { pages: 1 } }
    })

    const { evidence } = yield* integration.executions.evidence({ params: execution })

    const answer = yield* host("/.well-known/runhook/jwks.json")
    const [key] = Schema.decodeSync(KeySet, { onExcessProperty: "error" })(
      yield* Effect.promise(() => answer.text())
    ).keys
    assert(key)
    assert.deepStrictEqual(
      [
        answer.status,
        ...["content-type", "cache-control", "access-control-allow-origin"].map((name) =>
          answer.headers.get(name)
        )
      ],
      [200, "application/jwk-set+json", "public, max-age=300", "*"]
    )
    const [head, body, signature = ""] = evidence.split(".")
    assert.deepStrictEqual(JSON.parse(textOf(head)), {
      alg: "EdDSA",
      kid: key.kid,
      typ: "runhook-evidence+jws"
    })
    const isGenuine = verify(
      null,
      Buffer.from(`${head}.${body}`),
      createPublicKey({ format: "jwk", key }),
      Buffer.from(signature, "base64url")
    )
    assert.isTrue(isGenuine)
    const manifest = decodeManifest(textOf(body))
    assert.deepInclude(manifest, { issuer: baseUrl, execution_id: execution.id, status: "completed" })
    const seen = yield* admin.executions.evidence({
      params: { ...params, account_id: account.id, id: execution.id }
    })
    assert.strictEqual(seen.evidence, evidence)
  })

  test("is refused with 409 before the end, which says so", function* () {
    const { execution, integration } = yield* someWork

    const refusal = yield* refusalOf(integration.executions.evidence({ params: execution }))

    assert.deepInclude(refusal, {
      code: "invalid_request",
      message: `Execution ${execution.id} is running: there is evidence of it once it has ended`,
      details: { reason: "not_ended", status: "running" }
    })
  })
})
