/** Keeps the bytes of artifacts, and hands out short-lived signed URLs to write and read them. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { ByteRange } from "./ByteRanges.ts"
import type { Disposition } from "./ContentDisposition.ts"

/** The uploaded bytes differ from the announced ones, or none came. */
export class UploadMismatch extends Schema.TaggedError<UploadMismatch>()("UploadMismatch", {
  reason: Schema.Literals(["not_uploaded", "size_differs", "sha256_differs"])
}) {
  override get message() {
    switch (this.reason) {
      case "not_uploaded":
        return "The artifact's bytes were not uploaded"
      case "size_differs":
        return "The uploaded bytes are not as many as size_bytes announced"
      case "sha256_differs":
        return "The uploaded bytes do not have the announced sha256"
    }
  }
}

/** The bytes that were announced are missing. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", {}) {
  override get message() {
    return "The file is no longer there"
  }
}

/** Where and how a runner sends the bytes. */
export interface UploadGrant {
  readonly method: "PUT"
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

export interface StoredKeys {
  readonly keys: ReadonlyArray<string>
  /** Names this page for the next one; null if it is the last. */
  readonly next: string | null
}

/** Any method may end with the defect `StorageUnavailable`. */
export class ArtifactStorage extends Context.Service<
  ArtifactStorage,
  {
    /**
     * Permits storing exactly these bytes under `key`, once or again, until the grant
     * expires. Where the service does not receive them itself, it may end with the
     * defect `StorageFull`.
     */
    grantUpload(options: {
      readonly key: string
      readonly contentType: string
      readonly sizeBytes: number
      readonly sha256: string
      readonly expiresIn: Duration.Duration
    }): Effect.Effect<UploadGrant>

    /** Confirms that the announced bytes are stored under `key`. */
    verify(options: {
      readonly key: string
      readonly sizeBytes: number
      readonly sha256: string
    }): Effect.Effect<void, UploadMismatch>

    /** A URL that serves the bytes under this name to anyone who has it, until it expires. */
    grantDownload(options: {
      readonly key: string
      readonly fileName: string
      readonly sizeBytes: number
      readonly sha256: string
      /** Whether a browser shows the file or saves it. */
      readonly disposition: Disposition
      readonly expiresIn: Duration.Duration
    }): Effect.Effect<string>

    /**
     * The announced bytes under `key`, or a part of them, for callers whom the service
     * has authorized itself.
     */
    read(options: {
      readonly key: string
      readonly sizeBytes: number
      readonly sha256: string
      readonly range: ByteRange | null
    }): Stream.Stream<Uint8Array, FileMissing>

    /** Removes the bytes. A no-op if there are none. */
    remove(key: string): Effect.Effect<void>

    /**
     * A bounded page of the keys under which bytes are stored, after the page before.
     * What has a name that no key has is not the service's, and is passed over.
     */
    list(after: string | null): Effect.Effect<StoredKeys>

    /**
     * A cheap check whether bytes can be stored now. Ends with `StorageUnavailable` if
     * not; `full` means that only room is missing.
     */
    readonly check: Effect.Effect<"full" | "ready">
  }
>()("@runhook/core/artifacts/ArtifactStorage") {}
