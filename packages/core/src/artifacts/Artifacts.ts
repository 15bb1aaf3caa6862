/** What runners capture and callers fetch. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Artifact, downloadGrantSeconds, storageKeyOf, uploadGrantSeconds } from "./Artifact.ts"
import type { ByteRange } from "./ByteRanges.ts"
import { ArtifactId, instantOf, makeIds } from "../shared/Ids.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { ArtifactStorage } from "./ArtifactStorage.ts"
import { ArtifactNotFound, ArtifactStore } from "./ArtifactStore.ts"
import { Signals } from "../signals/Signals.ts"
import { ArtifactQuota, RunnerTimings } from "../Settings.ts"
import type { ExecutionRef } from "../executions/Executions.ts"
import { type HeldRef, makeRunnerScope } from "../runs/RunnerScope.ts"
import { useCase } from "../engine/UseCase.ts"

/** What a runner says about a file it captured. */
export type Capture = Pick<
  Artifact,
  "contentType" | "fileName" | "handler" | "kind" | "platformId" | "sha256" | "sizeBytes" | "startedOffsetMs"
>

export class Artifacts extends Context.Service<Artifacts>()("@runhook/core/artifacts/Artifacts", {
  make: Effect.gen(function* () {
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

    /** Registers a captured file and permits its upload. */
    const register = useCase("Artifacts.register")(function* ({
      capture,
      ...ref
    }: HeldRef & { readonly capture: Capture }) {
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

    /** Shows the file to callers, once its bytes are stored and match the announcement. */
    const complete = useCase("Artifacts.complete")(function* ({
      artifactId,
      ...ref
    }: HeldRef & { readonly artifactId: ArtifactId }) {
      const { accountId, epoch, id } = yield* requireInScope(ref)
      const name = { accountId, executionId: id, id: artifactId }
      const artifact = yield* store.find(name)
      yield* storage.verify(bytesOf(artifact))
      const ready = yield* store.markReady({ ...name, epoch, finalizeMs, at: yield* DateTime.now })
      yield* signals.notify([`execution:${id}`])
      return ready
    })

    /** The files of an execution that are ready, oldest first. */
    const list = ({ accountId, id }: ExecutionRef) => store.listReady(accountId, id)

    /** A short-lived signed URL of a file; videos are not files. */
    const fileUrl = useCase("Artifacts.fileUrl")(function* ({
      accountId,
      artifactId,
      id
    }: ExecutionRef & { readonly artifactId: ArtifactId }) {
      const artifact = yield* store.find({ accountId, executionId: id, id: artifactId })
      return artifact.isReady && artifact.kind !== "video"
        ? yield* urlOf(artifact, "attachment")
        : yield* new ArtifactNotFound({ executionId: id, id: artifactId })
    })

    /** A file or a video, for a caller whom the service has authorized itself. */
    const open = useCase("Artifacts.open")(function* ({
      accountId,
      artifactId,
      id
    }: ExecutionRef & { readonly artifactId: ArtifactId }) {
      const artifact = yield* store.find({ accountId, executionId: id, id: artifactId })
      if (!artifact.isReady) return yield* new ArtifactNotFound({ executionId: id, id: artifactId })
      const read = (range: ByteRange | null) => storage.read({ ...bytesOf(artifact), range })
      return { artifact, read }
    })

    /** A short-lived signed URL under which a browser plays or shows the artifact. */
    const viewUrl = (artifact: Artifact) => urlOf(artifact, "inline")

    return { register, complete, list, fileUrl, open, viewUrl }
  })
}) {
  static readonly layer = Layer.effect(Artifacts, Artifacts.make)
}

/** Where the bytes are stored, and which they are. */
const bytesOf = ({ sha256, sizeBytes, storageKey }: Artifact) => ({ key: storageKey, sizeBytes, sha256 })
