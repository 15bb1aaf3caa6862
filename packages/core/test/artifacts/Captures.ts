/** Files as runners capture and send them. */
import { createHash } from "node:crypto"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { HostedFiles } from "@runhook/core/artifacts/HostedFiles"
import { Artifacts, type Capture } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

export const content = new TextEncoder().encode("invoice of December")

export const newCapture = (fields: Partial<Capture> = {}): Capture => ({
  kind: "download",
  fileName: "invoice.txt",
  contentType: "text/plain",
  sizeBytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  platformId: null,
  handler: null,
  startedOffsetMs: null,
  ...fields
})

export const makeRun = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant({ task: { maxAttempts: 2 } })
  const runner = yield* makeRunner(tenant)
  return { runner, ...(yield* makeStartedRun(tenant, runner)) }
})

export const grantIn = (url: string): string => new URL(url).searchParams.get("grant") ?? ""

/** Sends the bytes to where the runner was told to send them. */
export const upload = Effect.fnUntraced(function* (url: string, bytes: Uint8Array = content) {
  yield* (yield* HostedFiles).receive({ grant: grantIn(url), bytes: Stream.make(bytes) })
})

/** The storage of the engine, after `failures` removals that fail, and the next key that it removes: disks take a while. */
export const watchedStorage = Effect.fnUntraced(function* (failures: number) {
  const storage = yield* ArtifactStorage
  const removed = yield* Queue.unbounded<string>()
  let left = failures
  const remove = (key: string) =>
    Effect.suspend(() =>
      left-- > 0
        ? Effect.die(new Error("the disk is away"))
        : Effect.tap(storage.remove(key), () => Queue.offer(removed, key))
    )
  return { layer: Layer.succeed(ArtifactStorage, { ...storage, remove }), nextRemoved: Queue.take(removed) }
})

/** An artifact whose bytes came and that nobody can complete any more, since its run was stopped. */
export const makeAbandonedArtifact = Effect.fnUntraced(function* () {
  const { execution, held } = yield* makeRun()
  const registered = yield* (yield* Artifacts).register({ ...held, capture: newCapture() })
  yield* upload(registered.upload.url)
  yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
  return registered.artifact
})
