/** A failure of the disk itself, worded so that an operator knows what to repair. */
import { StorageFull } from "@runhook/core/artifacts/HostedFiles"
import { StorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const explanations: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk cannot read or write there",
  EMFILE: "this process has too many open files",
  ENFILE: "the machine has too many open files",
  ENODEV: "its volume is not mounted",
  ENOENT: "it is not there",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file and not a folder",
  EPERM: "permission denied",
  EROFS: "the file system is read-only"
}

/** The disk did not do what was asked. */
export class DiskFault extends Schema.TaggedError<DiskFault>()("DiskFault", {
  /** Completes "Could not …". */
  attempt: Schema.String,
  cause: Schema.Defect()
}) {
  /** The system's name of the failure, such as `ENOSPC`. */
  get code(): string {
    return this.cause instanceof Error && "code" in this.cause ? String(this.cause.code) : "unknown"
  }

  get reason(): string {
    return `${explanations[this.code] ?? "the operation failed"} (${this.code})`
  }

  override get message() {
    return `Could not ${this.attempt}: ${this.reason}`
  }
}

/** Works on the disk; `attempt` completes "Could not …" for the operator. */
export const onDisk = <A>(attempt: string, work: () => Promise<A>): Effect.Effect<A, DiskFault> =>
  Effect.tryPromise({ try: work, catch: (cause) => new DiskFault({ attempt, cause }) })

/** Whether there was no room, in bytes or in files, which is not a fault of the disk. */
export const isFull = ({ code }: DiskFault): boolean => code === "ENOSPC" || code === "EDQUOT"

/** Any failure of the disk makes the storage unavailable. */
export const orUnavailable = <A, R>(work: Effect.Effect<A, DiskFault, R>): Effect.Effect<A, never, R> =>
  Effect.catchTag(work, "DiskFault", ({ message }) => Effect.die(new StorageUnavailable({ reason: message })))

/** The same, except for lack of room. */
export const orFull = <A>(work: Effect.Effect<A, DiskFault>): Effect.Effect<A, StorageFull> =>
  Effect.catchTag(work, "DiskFault", (fault) =>
    isFull(fault) ? Effect.fail(new StorageFull()) : orUnavailable(Effect.fail(fault))
  )

/** Answers `null` if the thing is not there. */
export const orNull = <A>(work: Effect.Effect<A, DiskFault>): Effect.Effect<A | null, DiskFault> =>
  Effect.catchIf(
    work,
    ({ code }) => code === "ENOENT",
    () => Effect.succeed(null)
  )
