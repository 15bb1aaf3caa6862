/** What runners capture and callers fetch. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import {
  type Artifact,
  downloadGrantSeconds,
  storageKeyOf,
  uploadGrantSeconds
} from "../domain/artifact/Artifact.ts"
import type { ByteRange } from "../domain/artifact/ByteRanges.ts"
import { ArtifactId, instantOf, makeIds } from "../domain/Ids.ts"
import { InvalidField } from "../domain/Refusals.ts"
import type { LeaseLost } from "../domain/run/Lease.ts"
import {
  ArtifactStorage,
  type FileMissing,
  type UploadGrant,
  type UploadMismatch
} from "../ports/ArtifactStorage.ts"
import {
  type ArtifactLimitReached,
  ArtifactNotFound,
  type ArtifactQuotaReached,
  ArtifactStore
} from "../ports/ArtifactStore.ts"
import type { ExecutionNotFound } from "../ports/ExecutionStore.ts"
import { Signals } from "../ports/Signals.ts"
import { ArtifactQuota, RunnerTimings } from "../Settings.ts"
import type { ExecutionRef } from "./Executions.ts"
import { type HeldRef, makeRunnerScope } from "./RunnerScope.ts"
import { useCase } from "./UseCase.ts"

/** What a runner says about a file it captured. */
export type Capture = Pick<
  Artifact,
  "contentType" | "fileName" | "handler" | "kind" | "platformId" | "sha256" | "sizeBytes" | "startedOffsetMs"
>

type Verbs = Artifacts["Service"]

export class Artifacts extends Context.Service<
  Artifacts,
  {
    /** Registers a captured file and permits its upload. */
    register(
      options: HeldRef & { readonly capture: Capture }
    ): Effect.Effect<
      { readonly artifact: Artifact; readonly upload: UploadGrant; readonly expiresIn: Duration.Duration },
      ArtifactLimitReached | ArtifactQuotaReached | ExecutionNotFound | InvalidField | LeaseLost
    >

    /** Shows the file to callers, once its bytes are stored and match the announcement. */
    complete(
      options: HeldRef & { readonly artifactId: ArtifactId }
    ): Effect.Effect<Artifact, ArtifactNotFound | ExecutionNotFound | LeaseLost | UploadMismatch>

    /** The files of an execution that are ready, oldest first. */
    list(ref: ExecutionRef): Effect.Effect<ReadonlyArray<Artifact>, ExecutionNotFound>

    /** A short-lived signed URL of a file; videos are not files. */
    fileUrl(
      ref: ExecutionRef & { readonly artifactId: ArtifactId }
    ): Effect.Effect<string, ArtifactNotFound | ExecutionNotFound>

    /** A file or a video, for a caller whom the service has authorized itself. */
    open(ref: ExecutionRef & { readonly artifactId: ArtifactId }): Effect.Effect<
      {
        readonly artifact: Artifact
        readonly read: (range: ByteRange | null) => Stream.Stream<Uint8Array, FileMissing>
      },
      ArtifactNotFound | ExecutionNotFound | FileMissing
    >

    /** A short-lived signed URL under which a browser plays or shows the artifact. */
    viewUrl(artifact: Artifact): Effect.Effect<string>
  }
>()("@runhook/core/usecases/Artifacts") {
  static readonly layer = Layer.effect(
    Artifacts,
    Effect.gen(function* () {
      const signals = yield* Signals
      const storage = yield* ArtifactStorage
      const store = yield* ArtifactStore
      const timings = yield* RunnerTimings
      const newId = yield* makeIds
      const requireInScope = yield* makeRunnerScope
      const quotaBytes = yield* ArtifactQuota
      const finalizeMs = Duration.toMillis(timings.finalize)

      const urlOf = (artifact: Artifact, disposition: "attachment" | "inline") =>
        storage.grantDownload({
          ...bytesOf(artifact),
          fileName: artifact.fileName,
          disposition,
          expiresIn: Duration.seconds(downloadGrantSeconds)
        })

      const register: Verbs["register"] = useCase("Artifacts.register")(function* ({ capture, ...ref }) {
        if (capture.sizeBytes > timings.maxArtifactBytes) {
          return yield* new InvalidField({
            path: ["size_bytes"],
            rule: `must be at most ${timings.maxArtifactBytes}`
          })
        }
        const held = yield* requireInScope(ref)
        const id = yield* newId(ArtifactId)
        const name = { accountId: held.accountId, executionId: held.id, id }
        const artifact = yield* store.register({
          artifact: {
            ...capture,
            ...name,
            epoch: held.epoch,
            storageKey: storageKeyOf(name),
            isReady: false,
            createdAt: instantOf(id)
          },
          finalizeMs,
          quotaBytes,
          at: yield* DateTime.now
        })
        const expiresIn = Duration.seconds(uploadGrantSeconds)
        const upload = yield* storage.grantUpload({
          ...bytesOf(artifact),
          contentType: artifact.contentType,
          expiresIn
        })
        return { artifact, upload, expiresIn }
      })

      const complete: Verbs["complete"] = useCase("Artifacts.complete")(function* ({ artifactId, ...ref }) {
        const { accountId, epoch, id } = yield* requireInScope(ref)
        const name = { accountId, executionId: id, id: artifactId }
        const artifact = yield* store.find(name)
        yield* storage.verify(bytesOf(artifact))
        const ready = yield* store.markReady({ ...name, epoch, finalizeMs, at: yield* DateTime.now })
        yield* signals.notify([`execution:${id}`])
        return ready
      })

      const list: Verbs["list"] = ({ accountId, id }) => store.listReady(accountId, id)

      const fileUrl: Verbs["fileUrl"] = useCase("Artifacts.fileUrl")(function* ({
        accountId,
        artifactId,
        id
      }) {
        const artifact = yield* store.find({ accountId, executionId: id, id: artifactId })
        return artifact.isReady && artifact.kind !== "video"
          ? yield* urlOf(artifact, "attachment")
          : yield* new ArtifactNotFound({ executionId: id, id: artifactId })
      })

      const open: Verbs["open"] = useCase("Artifacts.open")(function* ({ accountId, artifactId, id }) {
        const artifact = yield* store.find({ accountId, executionId: id, id: artifactId })
        if (!artifact.isReady) return yield* new ArtifactNotFound({ executionId: id, id: artifactId })
        const read = (range: ByteRange | null) => storage.read({ ...bytesOf(artifact), range })
        return { artifact, read }
      })

      const viewUrl: Verbs["viewUrl"] = (artifact) => urlOf(artifact, "inline")

      return Artifacts.of({ register, complete, list, fileUrl, open, viewUrl })
    })
  )
}

/** Where the bytes are stored, and which they are. */
const bytesOf = ({ sha256, sizeBytes, storageKey }: Artifact) => ({ key: storageKey, sizeBytes, sha256 })
