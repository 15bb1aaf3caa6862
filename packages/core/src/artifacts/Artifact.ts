/** A file that a run captured. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { AccountId, ArtifactId, ExecutionId, PlatformId } from "../shared/Ids.ts"
import type { JsonIssue } from "../shared/json/JsonText.ts"
import type { Run } from "../runs/Run.ts"

export const fileNameLengthMax = 255

/** Artifacts one execution may have. */
export const artifactsPerExecutionMax = 1_000

/** Where the signed URLs of hosted files are, under the base URL: `<base><path>?grant=<token>`. */
export const hostedFilesPath = "/storage"

/** How long a signed URL for a download or a video lives. */
export const downloadGrantSeconds = 300

/** How long a runner has to upload the bytes of an artifact it registered. */
export const uploadGrantSeconds = 900

/**
 * How long an unfinished artifact is awaited after each registration, before a
 * sweep asks whether it can still be completed. Longer than a grant plus the upload
 * that begins at its last moment, so nothing comes after it.
 */
export const uploadAwaited = Duration.hours(1)

export const ArtifactKind = Schema.Literals(["download", "print", "screenshot", "video"])
export type ArtifactKind = typeof ArtifactKind.Type

/** Spelt out, since some validators of the OpenAPI document do not know classes such as \p{Cc}. */
const noFileName = String.raw`\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069/\\`
const fileNamePattern = `^[^${noFileName}]*[^${noFileName}. ][^${noFileName}]*$`

/**
 * A name to show and to save under; never used as a path by the service. `.` and `..` are folders, and marks of
 * direction make a name look like another.
 */
export const FileName = Schema.String.check(
  Schema.isBetweenCodePoints(1, fileNameLengthMax),
  Schema.isPattern(new RegExp(fileNamePattern.replaceAll("\\u0000", String.raw`\p{Cs}\u0000`), "u"), {
    expected:
      "a file name: not made of dots alone, and without slashes, control characters and marks of direction",
    toJsonSchema: () => ({ pattern: fileNamePattern })
  })
)

/** A MIME type with optional parameters, such as `text/html; charset=utf-8`. */
export const ContentType = Schema.String.check(
  Schema.isMaxLength(255),
  Schema.isPattern(
    /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\x20\x21\x23-\x5B\x5D-\x7E]*"))*$/u,
    {
      expected: "a MIME type"
    }
  )
)

/** SHA-256 of the bytes, 64 lower-case hex digits. */
export const Sha256Hex = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/u, { expected: "64 hex digits in lower case" })
)

export const Artifact = Schema.Struct({
  id: ArtifactId,
  accountId: AccountId,
  executionId: ExecutionId,
  /** The attempt that captured it. */
  epoch: Schema.Int,
  kind: ArtifactKind,
  fileName: FileName,
  contentType: ContentType,
  sizeBytes: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)),
  sha256: Sha256Hex,
  /** Where the bytes are stored; made of ids only. */
  storageKey: Schema.String,
  /** Whether the bytes are stored, checked by size and hash. Callers see only ready artifacts. */
  isReady: Schema.Boolean,
  platformId: Schema.NullOr(PlatformId),
  handler: Schema.NullOr(Schema.String),
  startedOffsetMs: Schema.NullOr(Schema.Int),
  createdAt: Schema.DateTimeUtc
})
export type Artifact = typeof Artifact.Type

/** The fields that only a video has. On the wire: `platform_id`, `handler`, `started_offset_ms`. */
const videoFields = ["platform_id", "handler", "started_offset_ms"] as const

/** Fields of a capture that are missing, or do not belong to its kind. */
export const captureIssues = (
  capture: { readonly kind: ArtifactKind } & { readonly [Field in (typeof videoFields)[number]]?: unknown }
): ReadonlyArray<JsonIssue> =>
  videoFields.flatMap((field) => {
    const isGiven = capture[field] !== undefined
    if (isGiven === (capture.kind === "video")) return []
    return [{ path: [field], message: isGiven ? "is for videos only" : "is required with the kind video" }]
  })

/** What names the bytes of an artifact. */
export type ArtifactName = Pick<Artifact, "accountId" | "executionId" | "id">

/** Where the bytes of an artifact are stored. */
export const storageKeyOf = (artifact: ArtifactName): string =>
  `${artifact.accountId}/${artifact.executionId}/${artifact.id}`

/** The artifact whose bytes are stored there. */
export const nameInKey = (storageKey: string): ArtifactName => {
  const [account = "", execution = "", id = ""] = storageKey.split("/")
  return {
    accountId: AccountId.make(account),
    executionId: ExecutionId.make(execution),
    id: ArtifactId.make(id)
  }
}

/** How old an artifact is before its bytes are removed because nothing knows it: longer than any upload may take. */
export const strayAfter = Duration.days(1)

/** Whether a runner that registers `other` means this artifact: an equal request finds it again. */
export const isSameCapture = (artifact: Artifact, other: Artifact): boolean =>
  artifact.epoch === other.epoch &&
  artifact.kind === other.kind &&
  artifact.fileName === other.fileName &&
  artifact.contentType === other.contentType &&
  artifact.sizeBytes === other.sizeBytes &&
  artifact.sha256 === other.sha256 &&
  artifact.platformId === other.platformId &&
  artifact.handler === other.handler &&
  artifact.startedOffsetMs === other.startedOffsetMs

/**
 * Whether artifacts of an attempt may still be written: while it is the latest,
 * until `finalizeMs` after its end.
 */
export const acceptsArtifacts = (
  { attemptEpoch, execution: { stoppedAt } }: Run,
  options: { readonly epoch: number; readonly finalizeMs: number; readonly at: DateTime.Utc }
): boolean =>
  attemptEpoch === options.epoch &&
  (stoppedAt === null ||
    DateTime.isLessThanOrEqualTo(options.at, DateTime.add(stoppedAt, { milliseconds: options.finalizeMs })))
