import { assert, describe } from "@effect/vitest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { errorOf, id } from "../Hosts.ts"
import { type Announced, file, fileOf, makeCapture, pathOf, video } from "../runs/Captures.ts"
import { Host, test } from "../Service.ts"
import { someWork } from "../Tenant.ts"

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])
const webm = Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3, 4, 5, 6])
const svg = new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")

/** The answer to who asks for the file under the link that operators have. */
const opened = Effect.fnUntraced(function* (
  bytes: Uint8Array<ArrayBuffer>,
  announced: Announced,
  { headers = {}, query = "" }: { readonly headers?: Record<string, string>; readonly query?: string } = {}
) {
  const work = yield* someWork
  const host = yield* Host
  yield* makeCapture(work, { ...announced, ...fileOf(bytes) }, bytes)
  const captured = yield* work.admin.executions.artifacts({
    params: { ...work.params, ...work.execution }
  })
  const [found] = [...captured.videos, ...captured.screenshots, ...captured.prints]
  if (found === undefined) return yield* Effect.die("nothing was captured")
  const answer = yield* host(`${pathOf(found.url)}${query}`, {
    headers: { authorization: `Bearer ${adminKey}`, ...headers }
  })
  const read = answer.status < 300 ? yield* Effect.promise(() => answer.clone().bytes()) : new Uint8Array()
  return { answer, found, read: Array.from(read) }
})

const headersOf = ({ headers }: Response) => [
  headers.get("content-type"),
  headers.get("content-disposition")?.split(";")[0],
  headers.get("content-security-policy"),
  headers.get("x-content-type-options")
]

const sandbox = "sandbox; default-src 'none'"

describe("files under the links of the admin API", () => {
  test("are shown as the pictures that their bytes make them", function* () {
    const screenshot = { ...file, kind: "screenshot", content_type: "text/html" } as const

    const { answer, read } = yield* opened(png, screenshot)

    assert.deepStrictEqual(headersOf(answer), ["image/png", "inline", sandbox, "nosniff"])
    assert.deepStrictEqual(read, Array.from(png))
  })

  test("are saved, not shown, whatever they say of themselves", function* () {
    const screenshot = { ...file, kind: "screenshot", content_type: "image/svg+xml" } as const

    const { answer } = yield* opened(svg, screenshot)

    assert.deepStrictEqual(headersOf(answer), ["application/octet-stream", "attachment", sandbox, "nosniff"])
  })

  test("are saved as well when that is asked for", function* () {
    const { answer } = yield* opened(png, file, { query: "?download=true" })

    assert.deepStrictEqual(headersOf(answer).slice(0, 2), ["image/png", "attachment"])
  })

  test("are answered in parts, so that a video can be wound", function* () {
    const { answer, found, read } = yield* opened(webm, video, { headers: { range: "bytes=4-6" } })

    assert.strictEqual(answer.status, 206)
    assert.strictEqual(answer.headers.get("content-range"), "bytes 4-6/10")
    assert.deepStrictEqual(read, [1, 2, 3])
    assert.deepStrictEqual(headersOf(answer).slice(0, 2), ["video/webm", "inline"])
    assert.deepInclude(found, { handler: "browser", started_offset_ms: 0 })
  })

  test("say what lies beyond their end", function* () {
    const { answer } = yield* opened(webm, video, { headers: { range: "bytes=90-" } })

    assert.strictEqual(answer.status, 416)
    assert.strictEqual(answer.headers.get("content-range"), "bytes */10")
  })

  test("open with a key alone, and are those of one account", function* () {
    const { admin, execution, params } = yield* someWork
    const host = yield* Host
    const other = yield* admin.accounts.create({ payload: { name: "Other" } })
    const pathIn = (account: string) =>
      `/api/v1/admin/accounts/${account}/executions/${execution.id}/files/${id}`

    const locked = yield* host(pathIn(params.account_id))
    const unknown = yield* host(pathIn(other.id), { headers: { authorization: `Bearer ${adminKey}` } })

    assert.strictEqual((yield* errorOf(locked)).code, "unauthorized")
    assert.strictEqual((yield* errorOf(unknown)).code, "not_found")
  })
})
