import { assert, describe, it } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { isStorageFull } from "@runhook/core/artifacts/HostedFiles"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { Bucket } from "../../src/s3/Bucket.ts"
import { answerBytesMax, timeLimit } from "../../src/s3/BucketRequests.ts"
import { announce, collect, makeKey } from "../disk/TemporaryStorage.ts"
import * as TestBucket from "./TestBucket.ts"
import { Server } from "./TestBucket.ts"

const file = { key: makeKey(), ...announce(new Uint8Array(10)) }
const expiresIn = Duration.minutes(5)
const shown = { fileName: "a.txt", disposition: "attachment" } as const

const storage = <A, E>(use: (storage: ArtifactStorage["Service"]) => Effect.Effect<A, E>) =>
  Effect.exit(Effect.flatMap(ArtifactStorage, use))

const register = storage((each) => each.grantUpload({ ...file, contentType: "text/plain", expiresIn }))

/** What needs the bucket, each by itself. */
const uses = [
  register,
  storage((each) => each.grantDownload({ ...file, ...shown, expiresIn })),
  storage((each) => each.verify(file)),
  storage((each) => each.remove(file.key)),
  storage((each) => collect(each.read({ ...file, range: null }))),
  storage((each) => each.check)
]

const isAway = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && isStorageUnavailable(Cause.squash(exit.cause))

/** What the operator reads, and a storage with that log. */
const makeLog = (differently: Partial<Bucket> = {}, secondsAhead = 0) => {
  const lines: Array<string> = []
  const written = Logger.make<unknown, void>(({ logLevel, message }) => {
    lines.push(`${logLevel}: ${String(message)}`)
  })
  const bucket = TestBucket.layer(differently, secondsAhead)
  return { lines, storage: Layer.provideMerge(bucket, Logger.layer([written])) }
}

const away = "Error: Files in s3://files/runhook/artifacts are neither taken nor given until this is mended: "
const back = "Info: Files are taken and given again in s3://files/runhook/artifacts"

describe("a bucket", () => {
  it.effect.each([
    [
      "a wrong clock",
      {},
      3_600,
      "the store's clock is 60 minutes behind the database's, which signs: correct the wrong one (RequestTimeTooSkewed, 403)"
    ],
    [
      "an unknown key",
      { accessKeyId: Redacted.make("AKIASTRANGER") },
      0,
      "the store does not know the key: correct AWS_ACCESS_KEY_ID (InvalidAccessKeyId, 403)"
    ],
    [
      "a wrong secret",
      { secretAccessKey: Redacted.make("a-secret-of-another") },
      0,
      "the store refuses the signature: correct AWS_SECRET_ACCESS_KEY (SignatureDoesNotMatch, 403)"
    ],
    [
      "no bucket",
      { name: "none", prefix: "" },
      0,
      "there is no such bucket: make it, or correct RUNHOOK_ARTIFACTS_URL (NoSuchBucket, 404)"
    ],
    [
      "no store",
      { endpoint: "http://127.0.0.1:1" },
      0,
      "http://127.0.0.1:1 cannot be reached (ECONNREFUSED): see whether the store runs, or correct AWS_ENDPOINT_URL"
    ]
  ] as const)(
    "with %s is away for every use, which the log says once without the key",
    ([, differently, secondsAhead, reason]) => {
      const { lines, storage: layer } = makeLog(differently, secondsAhead)
      return Effect.gen(function* () {
        const exits = yield* Effect.all(uses)

        assert.deepStrictEqual(
          exits.map(isAway),
          uses.map(() => true)
        )
        assert.lengthOf(lines, 1)
        assert.isTrue(lines[0]?.endsWith(`until this is mended: ${reason}`), lines[0])
        assert.notMatch(lines.join(), /AKIASTRANGER|a-secret|S3RVER|X-Amz/)
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect(
    "that is slow stops nobody for longer than the time limit, and is used again when it is not",
    () => {
      const { lines, storage: layer } = makeLog()
      return Effect.gen(function* () {
        yield* register
        const server = yield* Server
        server.mood = "slow"
        server.seen.length = 0

        const waiting = yield* Effect.forkChild(storage((each) => each.verify(file)))
        yield* server.until(1)
        yield* TestClock.adjust(timeLimit)
        const cut = yield* Fiber.join(waiting)
        server.mood = "good"
        server.release()
        yield* TestClock.adjust("30 seconds")
        const mended = yield* register

        assert.isTrue(isAway(cut))
        assert.isTrue(Exit.isSuccess(mended))
        assert.deepStrictEqual(lines, [
          `${away}http://127.0.0.1:${server.port} does not answer in time`,
          back
        ])
      }).pipe(Effect.provide(layer))
    }
  )

  it.effect("that is full takes no uploads and still gives files, until there is room", () => {
    const { lines, storage: layer } = makeLog()
    return Effect.gen(function* () {
      const server = yield* Server
      server.mood = "full"

      const refused = yield* register
      const given = yield* storage((each) => each.grantDownload({ ...file, ...shown, expiresIn }))
      const full = yield* storage((each) => each.check)
      server.mood = "good"
      const still = yield* register
      yield* TestClock.adjust("5 seconds")
      const taken = yield* register

      for (const exit of [refused, still]) {
        assert.isTrue(Exit.isFailure(exit) && isStorageFull(Cause.squash(exit.cause)))
      }
      assert.deepStrictEqual(
        [Exit.isSuccess(given), full, Exit.isSuccess(taken)],
        [true, Exit.succeed("full"), true]
      )
      assert.deepStrictEqual(lines, [
        "Error: Uploads to s3://files/runhook/artifacts are refused: the store is full (XMinioStorageFull, 507)",
        back
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect.each([
    [403, "QuotaExceeded", "the bucket is full (QuotaExceeded, 403)"],
    [507, "SomethingElse", "the store refused the request (SomethingElse, 507)"]
  ] as const)("is full by the answer %i %s", ([status, code, reason]) => {
    const { lines, storage: layer } = makeLog()
    return Effect.gen(function* () {
      const { refusals } = yield* Server
      refusals.push([status, code])

      const full = yield* storage((each) => each.check)

      assert.deepStrictEqual(full, Exit.succeed("full"))
      assert.deepStrictEqual(lines, [`Error: Uploads to s3://files/runhook/artifacts are refused: ${reason}`])
    }).pipe(Effect.provide(layer))
  })

  it.effect("whose store is busy for a moment is asked once more, and nobody is told", () => {
    const { lines, storage: layer } = makeLog()
    return Effect.gen(function* () {
      const { refusals, seen } = yield* Server
      refusals.push([503, "SlowDown"])

      const registered = yield* register

      assert.deepStrictEqual([Exit.isSuccess(registered), seen.length, lines], [true, 2, []])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a store that ignores ranges gives no more than was asked for", () => {
    const { lines, storage: layer } = makeLog()
    return Effect.gen(function* () {
      const bytes = new Uint8Array(2 * answerBytesMax)
      const large = { key: makeKey(), ...announce(bytes) }
      const server = yield* Server
      const granted = yield* (yield* ArtifactStorage).grantUpload({
        ...large,
        contentType: "text/plain",
        expiresIn
      })
      yield* TestBucket.sent(granted, bytes)
      server.mood = "generous"

      const read = yield* storage((each) => collect(each.read({ ...large, range: null })))

      assert.isTrue(isAway(read))
      assert.deepStrictEqual(lines, [
        `${away}http://127.0.0.1:${server.port} sends more than it is asked for: see that it takes ranges`
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("of a store that does not look at digests is not used", () => {
    const { lines, storage: layer } = makeLog()
    return Effect.gen(function* () {
      const server = yield* Server
      server.mood = "careless"

      const refused = yield* register

      assert.isTrue(isAway(refused))
      assert.deepStrictEqual(lines, [
        `${away}the store does not check the SHA-256 of uploads (x-amz-checksum-sha256): use one that does`
      ])
    }).pipe(Effect.provide(layer))
  })

  it.effect("is tried once for many callers, and again half a minute later", () =>
    Effect.gen(function* () {
      const { seen } = yield* Server

      yield* Effect.all(
        Array.from({ length: 20 }, () => register),
        { concurrency: "unbounded" }
      )
      const first = seen.length
      yield* TestClock.adjust("29 seconds")
      yield* register
      const soon = seen.length
      yield* TestClock.adjust("1 second")
      yield* register

      assert.deepStrictEqual([first, soon, seen.length], [1, 1, 2])
    }).pipe(Effect.provide(TestBucket.layer()))
  )
})
