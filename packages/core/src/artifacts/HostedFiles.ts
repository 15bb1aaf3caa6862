/**
 * Bytes that the service itself receives and serves under the signed URLs of its
 * `ArtifactStorage`. Storage elsewhere, such as S3, needs none of this.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { ByteRange } from "./ByteRanges.ts"
import type { Disposition } from "./ContentDisposition.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { FileMissing, UploadMismatch } from "./ArtifactStorage.ts"

/** Whether the account of a grant is still there. Default: each is. */
export const GrantedAccounts = Context.Reference<(id: AccountId) => Effect.Effect<boolean>>(
  "@runhook/core/artifacts/HostedFiles/GrantedAccounts",
  { defaultValue: () => () => Effect.succeed(true) }
)

/** The grant is forged, expired, for something else, or for a file of an account that was removed. */
export class GrantRefused extends Schema.TaggedError<GrantRefused>()("GrantRefused", {}) {
  override get message() {
    return "This URL is not valid, or no longer"
  }
}

/** There is not enough room for the bytes. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", {}) {
  override get message() {
    return "There is no room for uploads at present: try again later"
  }
}

/** Whether an error or a defect is this. */
export const isStorageFull = Schema.is(StorageFull)

export interface HostedFile {
  readonly fileName: string
  readonly disposition: Disposition
  readonly sizeBytes: number
  readonly sha256: string
  /** The bytes, or a part of them. */
  read(range: ByteRange | null): Stream.Stream<Uint8Array, FileMissing>
}

/** Any method may end with the defect `StorageUnavailable`. */
export class HostedFiles extends Context.Service<
  HostedFiles,
  {
    /** Receives the bytes of an upload grant: all that were announced, or none are kept. */
    receive<E>(options: {
      readonly grant: string
      readonly bytes: Stream.Stream<Uint8Array, E>
    }): Effect.Effect<void, E | GrantRefused | StorageFull | UploadMismatch>

    /** Opens the file of a download grant. */
    open(grant: string): Effect.Effect<HostedFile, GrantRefused | FileMissing>
  }
>()("@runhook/core/artifacts/HostedFiles") {}
