/**
 * Tells processes of one database whether they keep artifacts in one folder: a file in it has a number, which each
 * process publishes with its signals.
 */
import { randomInt, randomUUID } from "node:crypto"
import { link, readFile, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { makeFolder } from "@runhook/artifacts/disk/Folders"
import { SharedThing } from "@runhook/store-pg/signals/Listening"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerSettings } from "../settings/ServerSettings.ts"

/** The first number that a process has put into the folder; of several at once, one is first. */
const numberOf = async (directory: string): Promise<number> => {
  const mark = join(directory, "folder")
  const own = join(directory, randomUUID())
  await makeFolder(directory)
  await writeFile(own, `${randomInt(1, 2 ** 31)}\n`)
  try {
    await link(own, mark).catch(() => undefined)
    return Number.parseInt(await readFile(mark, "utf8"), 10)
  } finally {
    await rm(own)
  }
}

const apart = (directory: string) =>
  Effect.logWarning(
    `Artifacts of this service lie in different folders: here in ${directory} of ${hostname()}, at another process elsewhere, ` +
      "and neither finds the files of the other. Mount one folder on all machines, and name it in RUNHOOK_ARTIFACTS_DIR"
  )

/**
 * Only a process that answers requests has artifacts. A folder that cannot be written is reported when it is used.
 */
export const layer = ({ artifactsDir, roles }: ServerSettings) =>
  Layer.effect(
    SharedThing,
    roles.includes("api")
      ? Effect.tryPromise(() => numberOf(artifactsDir)).pipe(
          Effect.map((number) => ({ number, apart: apart(artifactsDir) })),
          Effect.orElseSucceed(() => null)
        )
      : Effect.succeed(null)
  )
