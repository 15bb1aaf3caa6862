import { assert, describe } from "@effect/vitest"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as Storage from "./TemporaryStorage.ts"
import { test } from "./TemporaryStorage.ts"

const bytes = Storage.manyBytes(200_000)
const announced = Storage.announce(bytes)

describe("an upload", () => {
  test.each([
    ["fewer bytes than announced", "size_differs", bytes.subarray(1)],
    ["more bytes than announced", "size_differs", Buffer.concat([bytes, Buffer.of(0)])],
    ["no bytes", "size_differs", new Uint8Array()],
    ["other bytes than announced", "sha256_differs", bytes.toReversed()]
  ] as const)("of %s is refused and leaves nothing", function* ([, reason, sent]) {
    const error = yield* Storage.upload(Storage.makeKey(), sent, announced).pipe(Effect.flip)

    assert.deepInclude(error, { _tag: "UploadMismatch", reason })
    assert.deepStrictEqual(yield* Storage.filesOnDisk, [])
  })

  test("without an end is stopped at the first byte too many", function* () {
    const grant = yield* Storage.uploadToken(Storage.makeKey(), announced)
    const pulled: Array<number> = []
    const endless = Stream.tap(Stream.forever(Stream.make(bytes)), ({ length }) =>
      Effect.sync(() => pulled.push(length))
    )

    const error = yield* (yield* HostedFiles).receive({ grant, bytes: endless }).pipe(Effect.flip)

    assert.deepInclude(error, { reason: "size_differs" })
    assert.deepStrictEqual(pulled, [bytes.length, bytes.length])
  })

  test("that fails on the way passes the failure on and leaves nothing", function* () {
    const grant = yield* Storage.uploadToken(Storage.makeKey(), announced)
    const broken = Stream.concat(
      Stream.make(bytes.subarray(0, 1_000)),
      Stream.fail("connection lost" as const)
    )

    const error = yield* (yield* HostedFiles).receive({ grant, bytes: broken }).pipe(Effect.flip)

    assert.strictEqual(error, "connection lost")
    assert.deepStrictEqual(yield* Storage.filesOnDisk, [])
  })

  test("that is interrupted leaves nothing", function* () {
    const grant = yield* Storage.uploadToken(Storage.makeKey(), announced)
    const halfWay = yield* Latch.make()
    const hanging = Stream.concat(
      Stream.make(bytes.subarray(0, 1_000)),
      Stream.fromEffect(Effect.andThen(halfWay.open, Effect.never))
    )
    const receiving = yield* Effect.forkChild((yield* HostedFiles).receive({ grant, bytes: hanging }))
    yield* halfWay.await
    assert.strictEqual((yield* Storage.filesOnDisk).length, 1)

    yield* Fiber.interrupt(receiving)

    assert.deepStrictEqual(yield* Storage.filesOnDisk, [])
  })

  test("may be repeated", function* () {
    const key = Storage.makeKey()
    yield* Storage.upload(key, bytes)

    yield* Storage.upload(key, bytes)

    yield* (yield* ArtifactStorage).verify({ key, ...announced })
    assert.strictEqual((yield* Storage.filesOnDisk).length, 1)
  })

  test("may run at the same time as others, of one key and of many", function* () {
    const keys = Array.from({ length: 20 }, Storage.makeKey)

    yield* Effect.forEach([...keys, ...keys], (key) => Storage.upload(key, bytes), {
      concurrency: "unbounded"
    })

    const storage = yield* ArtifactStorage
    yield* Effect.forEach(keys, (key) => storage.verify({ key, ...announced }))
    assert.strictEqual((yield* Storage.filesOnDisk).length, keys.length)
  })
})
