/**
 * Keeps the inbox beyond a stop: one file in the data directory, replaced as a
 * whole, so a process that is killed while writing leaves the previous one.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { InboxItem } from "./InboxItem.ts"

export interface InboxFile {
  /** What an earlier start kept, oldest first. */
  readonly find: Effect.Effect<ReadonlyArray<InboxItem>>
  /** Replaces it. If it cannot be kept, the log says so, and the inbox goes on. */
  keep(items: ReadonlyArray<InboxItem>): Effect.Effect<void>
}

/** With a store in memory nothing outlives a stop, and neither does the inbox. */
const nowhere: InboxFile = { find: Effect.succeed([]), keep: () => Effect.void }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(InboxItem)))

export const make = Effect.fnUntraced(function* ({
  dataDir,
  store
}: Pick<ServerSettings, "dataDir" | "store">) {
  if (store._tag === "Memory") return nowhere
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(dataDir, "inbox.json")

  const setAside = Effect.gen(function* () {
    yield* files.rename(path, `${path}.broken`)
    yield* Effect.logWarning(`The inbox cannot be read and begins anew; what was there is ${path}.broken`)
    return []
  })

  const inboxFile: InboxFile = {
    find: Effect.gen(function* () {
      if (!(yield* files.exists(path))) return []
      const kept = decode(yield* files.readFileString(path))
      return Option.isSome(kept) ? kept.value : yield* setAside
    }).pipe(
      Effect.catchTag("PlatformError", (problem) =>
        Effect.as(Effect.logWarning("The inbox cannot be read", problem.message), [])
      )
    ),

    keep: (items) =>
      files.writeFileString(`${path}.part`, JSON.stringify(items), { mode: 0o600 }).pipe(
        Effect.andThen(files.rename(`${path}.part`, path)),
        Effect.catchTag("PlatformError", (problem) =>
          Effect.logWarning("The inbox cannot be kept", problem.message)
        )
      )
  }
  return inboxFile
})
