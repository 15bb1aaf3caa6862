import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage, type StoredKeys } from "@runhook/core/artifacts/ArtifactStorage"
import { suite } from "@runhook/store-testing/storage/ArtifactStorageSuite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { answerBytesMax, requestsMax } from "../../src/s3/BucketRequests.ts"
import { announce, collect, makeKey, manyBytes } from "../disk/TemporaryStorage.ts"
import * as TestBucket from "./TestBucket.ts"
import { Server, test } from "./TestBucket.ts"

suite("S3, with the bucket in the path", TestBucket.layer(), TestBucket.transfers)
suite(
  "S3, with the bucket before the host",
  TestBucket.layer({ addressing: "virtual", prefix: "" }),
  TestBucket.transfers
)

const expiresIn = Duration.minutes(5)

const grantOf = Effect.fnUntraced(function* (bytes: Uint8Array, contentType = "video/webm", key = makeKey()) {
  const storage = yield* ArtifactStorage
  const file = { key, ...announce(bytes) }
  return { file, grant: yield* storage.grantUpload({ ...file, contentType, expiresIn }) }
})

/** A stored file. */
const makeFile = Effect.fnUntraced(function* (bytes: Uint8Array, contentType?: string, key?: string) {
  const { file, grant } = yield* grantOf(bytes, contentType, key)
  yield* TestBucket.transfers.send(grant, bytes)
  return file
})

const urlOf = Effect.fnUntraced(function* (
  file: Effect.Success<ReturnType<typeof makeFile>>,
  shown: { readonly fileName: string; readonly disposition: "attachment" | "inline" }
) {
  return yield* (yield* ArtifactStorage).grantDownload({ ...file, ...shown, expiresIn })
})

/** Page by page, as whoever looks for strays does. */
const keysByPage = Effect.fnUntraced(function* () {
  const storage = yield* ArtifactStorage
  const pages = []
  for (let after: string | null | undefined; after !== null;) {
    const page: StoredKeys = yield* storage.list(after ?? null)
    pages.push(page.keys)
    after = page.next
  }
  return pages
})

describe.each([{}, { prefix: "" }, { addressing: "virtual" } as const])("A bucket of %j", (differently) => {
  it.effect("is listed over several pages, each key once", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const stored = yield* Effect.forEach(Array.from({ length: 7 }), () => makeFile(manyBytes(9)))
      server.keysOnPage = 3

      const pages = yield* keysByPage()

      const keys = stored.map(({ key }): string => key).toSorted()
      assert.deepStrictEqual(pages, [keys.slice(0, 3), keys.slice(3, 6), keys.slice(6)])
    }).pipe(Effect.provide(TestBucket.layer(differently)))
  )
})

describe("S3Artifacts", () => {
  test("lets the store show a file under its name, and only a type that cannot harm", function* () {
    const bytes = manyBytes(1_000)
    const video = yield* makeFile(bytes, "video/webm; codecs=vp9")
    const page = yield* makeFile(bytes, "text/html")

    const shown = yield* TestBucket.loaded(
      yield* urlOf(video, { fileName: "a b.webm", disposition: "inline" }),
      {
        range: "bytes=10-19"
      }
    )
    const saved = yield* TestBucket.loaded(
      yield* urlOf(page, { fileName: "a.html", disposition: "attachment" })
    )

    assert.deepStrictEqual(shown.bytes, bytes.slice(10, 20))
    assert.deepInclude(shown.headers, {
      "content-type": "video/webm",
      "content-disposition": 'inline; filename="a b.webm"',
      "content-range": "bytes 10-19/1000",
      "cache-control": "private, no-cache"
    })
    assert.deepInclude(saved.headers, {
      "content-type": "application/octet-stream",
      "content-disposition": 'attachment; filename="a.html"'
    })
  })

  test.each([
    ["other bytes", (headers: object) => headers],
    ["another digest", (headers: object) => ({ ...headers, "x-amz-checksum-sha256": "x" })],
    ["no digest", () => ({ "content-type": "video/webm" })],
    ["another type", (headers: object) => ({ ...headers, "content-type": "text/html" })]
  ] as const)("signs what may be uploaded: %s is refused", function* ([what, change]) {
    const bytes = manyBytes(100)
    const { grant } = yield* grantOf(bytes)
    const headers = { ...change(grant.headers) }

    const sent = yield* TestBucket.sent({ ...grant, headers }, what === "other bytes" ? manyBytes(99) : bytes)

    assert.isAtLeast(sent.statusCode, 400)
  })

  it.effect.each([
    [{ encryption: "AES256" }, { "x-amz-server-side-encryption": "AES256" }],
    [{ encryption: { kmsKeyId: null } }, { "x-amz-server-side-encryption": "aws:kms" }],
    [
      { encryption: { kmsKeyId: "alias/files" } },
      {
        "x-amz-server-side-encryption": "aws:kms",
        "x-amz-server-side-encryption-aws-kms-key-id": "alias/files"
      }
    ]
  ] as const)("asks the store to encrypt by %j", ([differently, headers]) =>
    Effect.gen(function* () {
      yield* makeFile(manyBytes(100))

      const puts = (yield* Server).seen.filter(({ method }) => method === "PUT")
      assert.lengthOf(puts, 2)
      for (const put of puts) assert.deepInclude(put.headers, headers)
    }).pipe(Effect.provide(TestBucket.layer(differently)))
  )

  test("reads a large file in pieces, under the prefix", function* () {
    const bytes = manyBytes(answerBytesMax + 1)
    const file = yield* makeFile(bytes)

    const read = yield* collect((yield* ArtifactStorage).read({ ...file, range: null }))

    const { seen } = yield* Server
    const asked = seen.filter(({ method }) => method === "GET")
    assert.isTrue(Buffer.from(bytes).equals(read))
    assert.deepStrictEqual(
      asked.map(({ headers, path }) => [path, headers.range]),
      ["0-524287", "524288-524288"].map((range) => [`/files/runhook/artifacts/${file.key}`, `bytes=${range}`])
    )
  })

  test("asks for many things a few at a time, and accounts take turns", function* () {
    const storage = yield* ArtifactStorage
    yield* storage.check
    const server = yield* Server
    const [busy, other] = [randomUUID(), randomUUID()]
    const keyOf = (account: string) => `${account}/${randomUUID()}/${randomUUID()}`
    const absent = (account: string) =>
      Effect.exit(storage.verify({ key: keyOf(account), ...announce(manyBytes(1)) }))
    server.mood = "slow"
    server.seen.length = 0

    const many = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: 40 }, () => absent(busy)),
        { concurrency: "unbounded" }
      )
    )
    yield* server.until(requestsMax)
    const one = yield* Effect.forkChild(absent(other), { startImmediately: true })
    const open = server.seen.length
    server.mood = "good"
    server.release()
    yield* Fiber.joinAll([many, one])

    assert.strictEqual(open, requestsMax)
    assert.isAtMost(
      server.seen.findIndex(({ path }) => path.includes(other)),
      requestsMax + 1
    )
  })
})
