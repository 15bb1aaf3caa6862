/** Moves the files that runs captured from a folder to a bucket. */
import * as FolderMove from "@runhook/artifacts/s3/FolderMove"
import * as S3Artifacts from "@runhook/artifacts/s3/S3Artifacts"
import { nameOf } from "@runhook/artifacts/s3/Bucket"
import { isStorageFull } from "@runhook/core/artifacts/HostedFiles"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { drawing } from "../output/Progress.ts"
import { artifactsDirOf, bucketOf } from "../settings/ArtifactsKept.ts"
import { isTextReport, report } from "../output/Output.ts"
import { print, printError } from "../output/Writer.ts"

/** Files between two lines of progress. */
const progressEvery = 1_000

export const move = Effect.fnUntraced(function* ({ isRemoving }: { readonly isRemoving: boolean }) {
  const settings = yield* given
  const bucket = bucketOf(settings)
  if (bucket === null) {
    return yield* new CommandFailed({
      reason:
        "RUNHOOK_ARTIFACTS_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must name the bucket and open it"
    })
  }
  const counts = { broken: 0, sent: 0, there: 0, bytes: 0 }
  const summary = () =>
    `${counts.sent} files sent (${counts.bytes} bytes), ${counts.there} were in ${nameOf(bucket)} already`
  const directory = artifactsDirOf(settings)
  const isText = yield* isTextReport
  const total = yield* Effect.orElseSucceed(FolderMove.count(directory), () => null)
  yield* drawing((draw) =>
    FolderMove.move({ directory, isRemoving }).pipe(
      Stream.runForEach(({ outcome, path, sizeBytes }) => {
        counts[outcome] += 1
        if (outcome === "sent") counts.bytes += sizeBytes
        if (outcome === "broken") return printError(`Not moved, since its bytes were changed: ${path}`)
        const done = counts.sent + counts.there
        return Effect.andThen(
          draw({ done, total }),
          done % progressEvery === 0 && isText ? print(summary()) : Effect.void
        )
      })
    )
  ).pipe(
    Effect.catchDefect((defect) =>
      isStorageUnavailable(defect) || isStorageFull(defect) ? Effect.fail(defect) : Effect.die(defect)
    ),
    Effect.mapError(
      ({ message }) => new CommandFailed({ reason: `${summary()}. ${message}. Run it again to go on` })
    ),
    Effect.provide(S3Artifacts.layer({ bucket }))
  )
  yield* report({ lines: [summary()], json: { bucket: nameOf(bucket), ...counts } })
  if (counts.broken > 0) {
    return yield* new CommandFailed({
      reason: `${counts.broken} files were not moved: restore them from a backup`
    })
  }
})
