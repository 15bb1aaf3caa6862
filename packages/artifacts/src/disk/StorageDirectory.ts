/**
 * Prepares the directory when the service starts, so that a wrong setting shows
 * then and not at the first upload.
 */
import { randomUUID } from "node:crypto"
import { readdir, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { onDisk, orNull } from "./DiskFault.ts"
import { makeFolder } from "./Folders.ts"
import { incomingFolder } from "./StorageKey.ts"

/** The service cannot keep artifacts in the directory it was given. */
export class DirectoryUnusable extends Schema.TaggedError<DirectoryUnusable>()("DirectoryUnusable", {
  directory: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return (
      `Artifacts cannot be kept in ${this.directory}: ${this.reason}. ` +
      "Let the user that runs the service write there, or choose another directory"
    )
  }
}

/** Longer than any upload may take; anything older was left by a process that died. */
const leftOverAge = Duration.days(1)

/** Makes the directory if needed, tries to write to it, and removes the remains of interrupted uploads. */
export const prepare = Effect.fn("StorageDirectory.prepare")(
  function* (directory: string) {
    const incoming = incomingFolder(directory)
    yield* onDisk(`make ${incoming}`, () => makeFolder(incoming))
    yield* tryToWrite(join(incoming, randomUUID()))
    yield* removeLeftOvers(incoming)
  },
  (effect, directory) => Effect.mapError(effect, ({ reason }) => new DirectoryUnusable({ directory, reason }))
)

const tryToWrite = (path: string) =>
  onDisk(`write ${path}`, async () => {
    await writeFile(path, "", { flag: "wx" })
    await rm(path)
  })

const removeLeftOvers = Effect.fnUntraced(function* (incoming: string) {
  const newest = (yield* Clock.currentTimeMillis) - Duration.toMillis(leftOverAge)
  for (const name of yield* onDisk(`list ${incoming}`, () => readdir(incoming))) {
    const path = join(incoming, name)
    // Another process may have removed it meanwhile.
    const found = yield* orNull(onDisk(`look at ${path}`, () => stat(path)))
    if (found !== null && found.mtimeMs < newest) {
      yield* onDisk(`remove ${path}`, () => rm(path, { force: true }))
    }
  }
})
