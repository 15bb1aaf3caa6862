/**
 * The symbolic links between PostgreSQL's libraries. An npm package cannot hold
 * them: it lists them, and makes them by a script when it is installed. Many
 * installations do not let packages run scripts.
 */
import { lstat, readFile, symlink } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ProgramsUnusable } from "./EmbeddedFailure.ts"
import { codeOf, reasonOf } from "./SystemFault.ts"

/** Paths from the folder of the package; both lie in one folder. */
const Listed = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)

/** Makes those that are missing among the programs in the folder `native`. */
export const complete = (native: string): Effect.Effect<void, ProgramsUnusable> =>
  Effect.tryPromise({
    try: async () => {
      const listed = await readFile(join(native, "pg-symlinks.json"), "utf8")
      for (const { source, target } of Schema.decodeSync(Listed)(listed)) {
        const link = join(dirname(native), target)
        if (!(await isThere(link))) await symlink(basename(source), link).catch(unlessMadeMeanwhile)
      }
    },
    catch: (cause) =>
      new ProgramsUnusable({
        reason: `links between its libraries are missing and cannot be made: ${reasonOf(cause)}; let the install script of its package run, as npm rebuild does`
      })
  })

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

/** Another process may be at it as well. */
const unlessMadeMeanwhile = (cause: unknown): void => {
  if (codeOf(cause) !== "EEXIST") throw cause
}
