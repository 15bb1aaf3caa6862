/** The directory of everything that this service itself keeps on disk. */
import { access, constants, mkdtemp, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "@runhook/embedded-postgres/Folders"
import { reasonOf } from "@runhook/embedded-postgres/SystemFault"
import * as Effect from "effect/Effect"
import { StartupProblems } from "../process/StartupProblems.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"

/** A process that only delivers keeps nothing there, nor does one whose files are in a bucket. */
const isNeeded = ({ bucket, mode, roles, store }: ServerSettings): boolean =>
  mode === "development" || store._tag === "Embedded" || (roles.includes("api") && bucket === null)

/** Makes the directory if needed, and refuses one that cannot be written, before anything else begins. */
export const prepare = Effect.fn("DataDirectory.prepare")(function* (settings: ServerSettings) {
  const { dataDir } = settings
  if (!isNeeded(settings)) return
  yield* Effect.tryPromise({
    try: async () => {
      await makeFolder(dataDir)
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
      // Permissions are not everything: a file system may be read-only, or accept no files at all.
      await rmdir(await mkdtemp(join(dataDir, "trial-")))
    },
    catch: (cause) =>
      new StartupProblems({
        problems: [
          `RUNHOOK_DATA_DIR cannot be used: ${dataDir}: ${reasonOf(cause)}; set it to a directory of this user`
        ]
      })
  })
})
