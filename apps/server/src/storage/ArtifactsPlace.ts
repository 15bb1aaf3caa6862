/**
 * Tells processes of one database whether they keep artifacts in one folder: a file in it has a number, which each
 * process publishes with its signals.
 */
import { createHash, randomInt, randomUUID } from "node:crypto"
import { link, readFile, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { makeFolder } from "@runhook/artifacts/disk/Folders"
import { type Bucket, nameOf, originOf } from "@runhook/artifacts/s3/Bucket"
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

const numberOfBucket = (bucket: Bucket): number =>
  createHash("sha256")
    .update(`${originOf(bucket)} ${nameOf(bucket)}`)
    .digest()
    .readUInt32BE() >>> 1

const apart = (place: string) =>
  Effect.logWarning(
    `Artifacts of this service lie in different places: here in ${place}, at another process elsewhere, and neither finds the ` +
      "files of the other. Mount one folder on all machines, and name it in RUNHOOK_ARTIFACTS_DIR, or name one bucket in RUNHOOK_ARTIFACTS_URL"
  )

const placeOf = ({ artifactsDir, bucket }: ServerSettings) =>
  bucket === null
    ? Effect.map(
        Effect.tryPromise(() => numberOf(artifactsDir)),
        (number) => ({ number, apart: apart(`${artifactsDir} of ${hostname()}`) })
      )
    : Effect.succeed({ number: numberOfBucket(bucket), apart: apart(nameOf(bucket)) })

/** Only a process that answers requests has artifacts. One that cannot be written is told of when it is used. */
export const layer = (settings: ServerSettings) =>
  Layer.effect(
    SharedThing,
    settings.roles.includes("api")
      ? Effect.orElseSucceed(placeOf(settings), () => null)
      : Effect.succeed(null)
  )
