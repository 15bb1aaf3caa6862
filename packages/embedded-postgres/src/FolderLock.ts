/**
 * One service at a time on a folder.
 *
 * SQLite's file lock is a kernel lock, the only one that Node can take. It ends
 * with the process in any case, leaves nothing to clean up, and every container
 * that has the folder sees it. The file stays empty.
 */
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { lockFile } from "./DataFolder.ts"
import { FolderInUse, FolderUnusable } from "./EmbeddedFailure.ts"

/** SQLite's result codes. */
const busy = 5

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busy

/** Holds the folder until the scope closes; fails at once if another process, or this one, holds it. */
export const hold = (directory: string): Effect.Effect<void, FolderInUse | FolderUnusable, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => lock(lockFile(directory)),
        catch: (cause) =>
          isBusy(cause)
            ? new FolderInUse({ directory })
            : new FolderUnusable({ directory, reason: `its lock cannot be taken: ${String(cause)}` })
      }),
      (held) => Effect.sync(() => held.close())
    )
  )

const lock = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // Nothing is ever written, so the file needs no journal.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}
