import { createHash, generateKeySync } from "node:crypto"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as DiskArtifacts from "@runhook/artifacts/disk/DiskArtifacts"
import type { Account } from "@runhook/core/accounts/Account"
import { AccountId } from "@runhook/core/shared/Ids"
import { AccountStore } from "@runhook/core/accounts/AccountStore"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as Context from "effect/Context"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import * as HostedFilesRoutes from "../../src/documents/HostedFilesRoutes.ts"
import { enveloped, errorOf, hostOf, id } from "../Hosts.ts"

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const storageWith = (options: { readonly directory?: string; readonly freeBytesMin?: number }) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = options.directory ?? (yield* temporaryDirectory)
      const grantKey = generateKeySync("hmac", { length: 256 })
      return DiskArtifacts.layer({ ...options, directory, grantKey, baseUrl: "" })
    })
  )
const storage = storageWith({})

const stores = Layer.provide(MemoryStore.layer, layerWebCrypto)

/** The account of the files, in a store that has no other. */
const account: Account = {
  id: AccountId.make(id),
  name: "Acme",
  rateLimit: null,
  maxLive: null,
  retentionDays: null,
  createdAt: DateTime.makeUnsafe(0)
}

const makeHost = Effect.fnUntraced(function* () {
  const files = yield* HostedFiles
  const accounts = Context.get(yield* Layer.build(Layer.fresh(stores)), AccountStore)
  yield* accounts.create(account)
  const adapters = [Layer.succeed(HostedFiles, files), Layer.succeed(AccountStore, accounts)] as const
  const send = yield* hostOf(HostedFilesRoutes.layer.pipe(Layer.provide([enveloped, ...adapters])))
  return { accounts, send }
})

const host = Effect.map(makeHost(), ({ send }) => send)

/** More than an endpoint reads. */
const bytes = new Uint8Array(2_000_000).map((_, index) => index % 251)
const sha256 = createHash("sha256").update(bytes).digest("hex")
const key = `${id}/${id}/${id}`
const expiresIn = Duration.minutes(5)

const uploadUrl = Effect.gen(function* () {
  const { grantUpload } = yield* ArtifactStorage
  const upload = { key, contentType: "text/html", sizeBytes: bytes.length, sha256, expiresIn }
  return (yield* grantUpload(upload)).url
})

/** A URL of the file, which was uploaded before. */
const makeFile = Effect.fnUntraced(function* () {
  const { grantDownload } = yield* ArtifactStorage
  const send = yield* host
  yield* send(yield* uploadUrl, { method: "PUT", body: bytes })
  const file = { key, fileName: "Übersicht.html", sizeBytes: bytes.length, sha256 }
  return { send, url: yield* grantDownload({ ...file, disposition: "attachment", expiresIn }) }
})

const bytesOf = (answer: Response) => Effect.promise(async () => new Uint8Array(await answer.arrayBuffer()))

it.layer(storage)("hosted files", (it) => {
  it.effect("take an upload of more than a JSON body may have", () =>
    Effect.gen(function* () {
      const send = yield* host

      const answer = yield* send(yield* uploadUrl, { method: "PUT", body: bytes })

      assert.strictEqual(answer.status, 204)
    })
  )

  it.effect("are neither served nor taken once their account was removed", () =>
    Effect.gen(function* () {
      const { url } = yield* makeFile()
      const { accounts, send } = yield* makeHost()
      const ask = Effect.all([
        send(url),
        Effect.flatMap(uploadUrl, (to) => send(to, { method: "PUT", body: bytes }))
      ])
      const before = yield* ask

      yield* accounts.remove({ id: account.id, at: account.createdAt })

      const after = yield* ask
      assert.deepStrictEqual(
        [...before, ...after].map(({ status }) => status),
        [200, 204, 403, 403]
      )
    })
  )

  it.effect.each([
    { what: "too few bytes", body: bytes.subarray(1), reason: "size_differs" },
    { what: "too many bytes", body: new Uint8Array(bytes.length + 1), reason: "size_differs" },
    { what: "other bytes", body: new Uint8Array(bytes.length), reason: "sha256_differs" }
  ])("refuse an upload of $what", ({ body, reason }) =>
    Effect.gen(function* () {
      const send = yield* host

      const answer = yield* send(yield* uploadUrl, { method: "PUT", body })

      assert.strictEqual(answer.status, 422)
      assert.deepStrictEqual((yield* errorOf(answer)).details, { reason })
    })
  )

  it.effect("are served under their name, with nothing that a browser could run", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url)

      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(yield* bytesOf(answer), bytes)
      assert.deepInclude(Object.fromEntries(answer.headers), {
        "accept-ranges": "bytes",
        "cache-control": "private, no-cache",
        "content-disposition":
          "attachment; filename=\"_bersicht.html\"; filename*=UTF-8''%C3%9Cbersicht.html",
        "content-length": String(bytes.length),
        "content-security-policy": "sandbox; default-src 'none'",
        "content-type": "application/octet-stream",
        "cross-origin-resource-policy": "cross-origin",
        etag: `"${sha256}"`,
        "x-content-type-options": "nosniff"
      })
    })
  )

  it.effect.each([
    { what: "a picture", beginning: "\x89PNG\r\n\x1a\n", type: "image/png", disposition: "inline" },
    { what: "a video", beginning: "\x1aE\xdf\xa3", type: "video/webm", disposition: "inline" },
    {
      what: "a page",
      beginning: "<!doctype html>",
      type: "application/octet-stream",
      disposition: "attachment"
    },
    {
      what: "a drawing",
      beginning: "<svg></svg>",
      type: "application/octet-stream",
      disposition: "attachment"
    },
    { what: "nothing", beginning: "", type: "application/octet-stream", disposition: "attachment" }
  ])("are shown as what their bytes are, whatever was announced: $what", ({ beginning, disposition, type }) =>
    Effect.gen(function* () {
      const { grantDownload, grantUpload } = yield* ArtifactStorage
      const send = yield* host
      const body = Buffer.from(beginning, "latin1")
      const announced = { sizeBytes: body.length, sha256: createHash("sha256").update(body).digest("hex") }
      const file = { key, ...announced, expiresIn }
      const { url } = yield* grantUpload({ ...file, contentType: "text/html" })
      yield* send(url, { method: "PUT", body, headers: { "content-length": String(body.length) } })

      const shown = yield* send(yield* grantDownload({ ...file, fileName: "a.html", disposition: "inline" }))

      assert.strictEqual(shown.status, 200)
      assert.strictEqual(shown.headers.get("content-type"), type)
      assert.match(shown.headers.get("content-disposition") ?? "", new RegExp(`^${disposition};`))
    })
  )

  it.effect("are served in part", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url, { headers: { range: "bytes=100-199" } })

      assert.strictEqual(answer.status, 206)
      assert.strictEqual(answer.headers.get("content-range"), `bytes 100-199/${bytes.length}`)
      assert.strictEqual(answer.headers.get("content-length"), "100")
      assert.deepStrictEqual(yield* bytesOf(answer), bytes.slice(100, 200))
    })
  )

  it.effect("answer a range past the end with 416 and the size", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url, { headers: { range: `bytes=${bytes.length}-` } })

      assert.strictEqual(answer.status, 416)
      assert.strictEqual(answer.headers.get("content-range"), `bytes */${bytes.length}`)
      yield* errorOf(answer)
    })
  )

  it.effect.each([
    { condition: `"${sha256}"`, status: 206 },
    { condition: `"another"`, status: 200 }
  ])("serve a part only of the file that If-Range means: $condition", ({ condition, status }) =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url, { headers: { range: "bytes=0-0", "if-range": condition } })

      assert.strictEqual(answer.status, status)
    })
  )

  it.effect("are not sent again to those who have them", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url, { headers: { "if-none-match": `W/"x", "${sha256}"` } })

      assert.strictEqual(answer.status, 304)
      assert.strictEqual(answer.headers.get("etag"), `"${sha256}"`)
    })
  )

  it.effect("tell their size on HEAD, whatever range is asked for", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      const answer = yield* send(url, { method: "HEAD", headers: { range: "bytes=0-0" } })

      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-length"), String(bytes.length))
      assert.lengthOf(yield* bytesOf(answer), 0)
    })
  )

  it.effect.each(["", "?grant=", "?grant=forged", "?grant=a&grant=b"])(
    "refuse the grant in /storage%s",
    (query) =>
      Effect.gen(function* () {
        const send = yield* host

        const answers = [
          yield* send(`/storage${query}`),
          yield* send(`/storage${query}`, { method: "PUT", body: "x" })
        ]

        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [403, 403]
        )
        for (const answer of answers) assert.strictEqual((yield* errorOf(answer)).code, "forbidden")
      })
  )

  it.effect("refuse a grant that has expired", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()

      yield* TestClock.adjust(Duration.minutes(6))
      const answer = yield* send(url)

      assert.strictEqual(answer.status, 403)
    })
  )

  it.effect("answer 404 for a file that is gone", () =>
    Effect.gen(function* () {
      const { send, url } = yield* makeFile()
      yield* Effect.flatMap(ArtifactStorage, ({ remove }) => remove(key))

      const answer = yield* send(url)

      const { code, details } = yield* errorOf(answer)
      assert.deepStrictEqual([answer.status, code, details], [404, "not_found", { reason: "file_missing" }])
    })
  )
})

it.effect("hosted files for which there is no room are answered 503", () =>
  Effect.gen(function* () {
    const send = yield* host

    const answer = yield* send(yield* uploadUrl, { method: "PUT", body: bytes })

    const { code, details } = yield* errorOf(answer)
    assert.deepStrictEqual(
      [answer.status, code, details, answer.headers.get("retry-after")],
      [503, "internal_error", { reason: "storage_full" }, "60"]
    )
  }).pipe(Effect.provide(storageWith({ freeBytesMin: Number.MAX_SAFE_INTEGER })))
)

it.effect(
  "hosted files whose folder cannot be used are answered 503, and are there when it can be again",
  () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "artifacts")
      yield* Effect.gen(function* () {
        const { send, url } = yield* makeFile()
        yield* Effect.promise(() => rename(directory, `${directory} away`))
        yield* Effect.promise(() => writeFile(directory, "a file"))

        const answers = [yield* send(yield* uploadUrl, { method: "PUT", body: bytes }), yield* send(url)]
        yield* Effect.promise(() => rm(directory))
        yield* Effect.promise(() => rename(`${directory} away`, directory))
        const after = yield* send(url)

        for (const answer of answers) {
          const { code, details } = yield* errorOf(answer)
          assert.deepStrictEqual(
            [answer.status, code, details, answer.headers.get("retry-after")],
            [503, "internal_error", { reason: "storage_unavailable" }, "5"]
          )
        }
        assert.deepStrictEqual(yield* bytesOf(after), bytes)
      }).pipe(Effect.provide(storageWith({ directory })))
    })
)
