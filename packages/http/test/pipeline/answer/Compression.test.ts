import { gunzipSync } from "node:zlib"
import { assert, describe } from "@effect/vitest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { Host, test } from "../../Service.ts"
import { makeExecution, makeTenant } from "../../Tenant.ts"

/** Sixty agents with long names, and as many executions. */
const makeLargeTenant = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const { admin, params } = tenant
  yield* Effect.forEach(Array.from({ length: 60 }).keys(), (index) =>
    admin.agents.create({ params, payload: { name: `Press ${index}${" in the cellar".repeat(10)}` } })
  )
  yield* Effect.replicateEffect(makeExecution(tenant, { metadata: { note: "x".repeat(400) } }), 60)
  return tenant
})

const listed = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>>) {
  const send = yield* Host
  const answer = yield* send(path, { headers: { authorization: `Bearer ${adminKey}`, ...headers } })
  return { answer, bytes: Buffer.from(yield* Effect.promise(() => answer.arrayBuffer())) }
})

const withoutId = (text: string) => text.replace(/"request_id":"\w+"/, "")

describe("a large answer", () => {
  test("of names and counts is compressed for callers that accept it", function* () {
    const { account } = yield* makeLargeTenant()
    const path = `/api/v1/admin/accounts/${account.id}/agents?limit=200`

    const plain = yield* listed(path, {})
    const refused = yield* listed(path, { "accept-encoding": "gzip;q=0" })
    const small = yield* listed(path, { "accept-encoding": "gzip, br" })

    const encodings = [plain, refused, small].map(({ answer }) => answer.headers.get("content-encoding"))
    assert.deepStrictEqual(encodings, [null, null, "gzip"])
    assert.deepStrictEqual(
      [plain, refused, small].map(({ answer }) => answer.headers.get("vary")),
      ["Accept-Encoding", "Accept-Encoding", "Accept-Encoding"]
    )
    assert.strictEqual(withoutId(gunzipSync(small.bytes).toString()), withoutId(plain.bytes.toString()))
    assert.isBelow(small.bytes.length * 4, plain.bytes.length)
    assert.strictEqual(small.answer.headers.get("content-length"), String(small.bytes.length))
  })

  test("is sent as it is when it has what callers sent, or is small", function* () {
    const { account } = yield* makeLargeTenant()
    const path = `/api/v1/admin/accounts/${account.id}`
    const headers = { "accept-encoding": "gzip" }

    const executions = yield* listed(`${path}/executions?limit=200`, headers)
    const agents = yield* listed(`${path}/agents?limit=2`, headers)

    assert.isAbove(executions.bytes.length, 30_000)
    assert.deepStrictEqual(
      [executions, agents].map(({ answer }) => answer.headers.get("content-encoding")),
      [null, null]
    )
  })
})
