import { assert, describe } from "@effect/vitest"
import { ArtifactId, newId } from "@runhook/core/shared/Ids"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { RunnerTimings } from "@runhook/core/Settings"
import { Artifacts, type Capture } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import type { HeldRef } from "@runhook/core/runs/RunnerScope"
import { Runs } from "@runhook/core/runs/Runs"
import { test } from "@runhook/test-support/engine/Test"
import { claimNext } from "@runhook/test-support/engine/Runner"
import { makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { content, grantIn, makeRun, newCapture, upload } from "./Captures.ts"

/** An artifact whose bytes are there and which callers see. */
const makeReadyArtifact = Effect.fnUntraced(function* (held: HeldRef, fields: Partial<Capture> = {}) {
  const artifacts = yield* Artifacts
  const registered = yield* artifacts.register({ ...held, capture: newCapture(fields) })
  yield* upload(registered.upload.url)
  return yield* artifacts.complete({ ...held, artifactId: registered.artifact.id })
})

/** The text that a signed URL serves. */
const download = Effect.fnUntraced(function* (url: string) {
  const file = yield* (yield* HostedFiles).open(grantIn(url))
  const text = yield* Stream.mkString(Stream.decodeText(file.read(null)))
  return { text, fileName: file.fileName, disposition: file.disposition }
})

describe("Artifacts", () => {
  test("shows a file to callers once its bytes are there, and serves them", function* () {
    const artifacts = yield* Artifacts
    const { execution, held } = yield* makeRun()
    const registered = yield* artifacts.register({ ...held, capture: newCapture() })
    const listedBefore = yield* artifacts.list(execution)
    yield* upload(registered.upload.url)

    const ready = yield* artifacts.complete({ ...held, artifactId: registered.artifact.id })

    assert.deepStrictEqual(listedBefore, [])
    assert.deepStrictEqual(yield* artifacts.list(execution), [ready])
    assert.deepStrictEqual(
      yield* download(yield* artifacts.fileUrl({ ...execution, artifactId: ready.id })),
      { text: "invoice of December", fileName: "invoice.txt", disposition: "attachment" }
    )
  })

  test("finds the artifact of an equal request, and permits its upload again", function* () {
    const artifacts = yield* Artifacts
    const { held } = yield* makeRun()
    const first = yield* artifacts.register({ ...held, capture: newCapture() })

    const again = yield* artifacts.register({ ...held, capture: newCapture() })

    assert.deepStrictEqual(again.artifact, first.artifact)
    yield* upload(again.upload.url)
  })

  test("does not show a file whose bytes did not come", function* () {
    const artifacts = yield* Artifacts
    const { execution, held } = yield* makeRun()
    const { artifact } = yield* artifacts.register({ ...held, capture: newCapture() })

    const error = yield* Effect.flip(artifacts.complete({ ...held, artifactId: artifact.id }))
    const hidden = yield* Effect.flip(artifacts.fileUrl({ ...execution, artifactId: artifact.id }))

    assert.deepInclude(error, { _tag: "UploadMismatch", reason: "not_uploaded" })
    assert.strictEqual(hidden._tag, "ArtifactNotFound")
  })

  test("receives no other bytes than those announced", function* () {
    const artifacts = yield* Artifacts
    const { held } = yield* makeRun()
    const registered = yield* artifacts.register({ ...held, capture: newCapture() })
    const others = content.toReversed()

    const error = yield* Effect.flip(upload(registered.upload.url, others))

    assert.deepInclude(error, { _tag: "UploadMismatch", reason: "sha256_differs" })
  })

  test("permits the upload for as long as it says", function* () {
    const { held } = yield* makeRun()
    const registered = yield* (yield* Artifacts).register({ ...held, capture: newCapture() })
    yield* TestClock.adjust(registered.expiresIn)

    const error = yield* Effect.flip(upload(registered.upload.url))

    assert.strictEqual(error._tag, "GrantRefused")
  })

  test("refuses a file that is larger than allowed", function* () {
    const { maxArtifactBytes } = yield* RunnerTimings
    const { held } = yield* makeRun()
    const capture = newCapture({ sizeBytes: maxArtifactBytes + 1 })

    const error = yield* Effect.flip((yield* Artifacts).register({ ...held, capture }))

    assert.strictEqual(error.message, "size_bytes: must be at most 536870912")
  })

  test("takes what a cancelled attempt still delivers for five minutes, and nothing later", function* () {
    const artifacts = yield* Artifacts
    const { execution, held } = yield* makeRun()
    const registered = yield* artifacts.register({ ...held, capture: newCapture({ fileName: "late.txt" }) })
    yield* upload(registered.upload.url)
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
    yield* TestClock.adjust("5 minutes")
    const inTime = yield* makeReadyArtifact(held)
    yield* TestClock.adjust("1 millis")

    const register = yield* Effect.flip(
      artifacts.register({ ...held, capture: newCapture({ kind: "print" }) })
    )
    const complete = yield* Effect.flip(artifacts.complete({ ...held, artifactId: registered.artifact.id }))

    assert.deepStrictEqual([register._tag, complete._tag], ["LeaseLost", "LeaseLost"])
    assert.deepStrictEqual(yield* artifacts.list(execution), [inTime])
  })

  test("takes nothing more from an attempt after which the work was queued again", function* () {
    const artifacts = yield* Artifacts
    const { held, runner } = yield* makeRun()
    const outcome = {
      _tag: "Failed",
      message: "no connection",
      isRetryable: true,
      retryDelayMillis: 0
    } as const
    yield* (yield* Runs).finish({ ...held, outcome })
    yield* claimNext(runner)

    const error = yield* Effect.flip(artifacts.register({ ...held, capture: newCapture() }))

    assert.strictEqual(error._tag, "LeaseLost")
  })

  test("lists a video with the rest, but serves it to be played and not as a file", function* () {
    const artifacts = yield* Artifacts
    const { execution, held } = yield* makeRun()
    const video = yield* makeReadyArtifact(held, { kind: "video", fileName: "session.webm" })

    const error = yield* Effect.flip(artifacts.fileUrl({ ...execution, artifactId: video.id }))
    const viewed = yield* download(yield* artifacts.viewUrl(video))

    assert.deepStrictEqual(yield* artifacts.list(execution), [video])
    assert.strictEqual(error._tag, "ArtifactNotFound")
    assert.strictEqual(viewed.disposition, "inline")
  })

  test("ends a download URL after 300 seconds", function* () {
    const { execution, held } = yield* makeRun()
    const { id } = yield* makeReadyArtifact(held)
    const url = yield* (yield* Artifacts).fileUrl({ ...execution, artifactId: id })
    yield* TestClock.adjust("299 seconds")
    yield* download(url)
    yield* TestClock.adjust("1 seconds")

    const error = yield* Effect.flip(download(url))

    assert.strictEqual(error._tag, "GrantRefused")
  })

  test("finds nothing of another account, and no artifact that there is not", function* () {
    const artifacts = yield* Artifacts
    const { execution, held } = yield* makeRun()
    const { id } = yield* makeReadyArtifact(held)
    const { accountId } = (yield* makeTenant()).caller

    const foreign = yield* Effect.flip(artifacts.fileUrl({ accountId, id: execution.id, artifactId: id }))
    const unknown = yield* Effect.flip(
      artifacts.fileUrl({ ...execution, artifactId: yield* newId(ArtifactId) })
    )

    assert.strictEqual(foreign._tag, "ExecutionNotFound")
    assert.strictEqual(unknown._tag, "ArtifactNotFound")
  })
})
