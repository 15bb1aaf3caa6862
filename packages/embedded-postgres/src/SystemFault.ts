/** A failure of the machine itself, worded so that an operator knows what to repair. */
import * as Effect from "effect/Effect"
import { FolderUnusable } from "./EmbeddedFailure.ts"

const explanations: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "a part of the path is a file and not a folder",
  EISDIR: "it is a folder and not a file",
  EIO: "the disk cannot read or write there",
  ENAMETOOLONG: "the path is too long",
  ENOENT: "it cannot be made there",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file and not a folder",
  EPERM: "permission denied",
  EROFS: "the file system is read-only"
}

/** The system's name of a failure, such as `ENOSPC`. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"

/** Completes "… because" for the operator. */
export const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause)
  return `${explanations[code] ?? String(cause)} (${code})`
}

/** Works on the files of the folder. */
export const inFolder = <A>(directory: string, work: () => Promise<A>): Effect.Effect<A, FolderUnusable> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => new FolderUnusable({ directory, reason: reasonOf(cause) })
  })

/** The same, for something that may be missing: then answers `undefined`. */
export const ifThere = <A>(
  directory: string,
  work: () => Promise<A>
): Effect.Effect<A | undefined, FolderUnusable> =>
  inFolder(directory, () =>
    work().catch((cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return undefined
      throw cause
    })
  )
