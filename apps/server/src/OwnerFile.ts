/** Files of the data directory that only their owner reads. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { StartRefused } from "./StartRefused.ts"

export interface OwnerFile {
  readonly dataDir: string
  readonly name: string
}

export const pathOf = ({ dataDir, name }: OwnerFile): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(dataDir, name))

/** What the file holds, if it is there. */
export const read = Effect.fnUntraced(function* (file: OwnerFile) {
  const files = yield* FileSystem.FileSystem
  return yield* files.readFileString(yield* pathOf(file)).pipe(
    Effect.map(Option.some),
    Effect.catchIf(
      ({ reason }) => reason._tag === "NotFound",
      () => Effect.succeed(Option.none<string>())
    ),
    Effect.mapError(() => refused(`RUNHOOK_DATA_DIR cannot be read: ${file.dataDir}`))
  )
})

/** Writes the file, and makes the directory when it is not there. */
export const write = Effect.fnUntraced(function* (
  file: OwnerFile,
  content: object,
  { flag }: { /** `wx` fails when the file is there. */ readonly flag: "w" | "wx" }
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* pathOf(file)
  const text = `${JSON.stringify(content, null, 2)}\n`
  yield* files.makeDirectory(file.dataDir, { recursive: true }).pipe(
    Effect.andThen(files.writeFileString(path, text, { flag, mode: 0o600 })),
    Effect.mapError(() => refused(`RUNHOOK_DATA_DIR cannot be written: ${file.dataDir}`))
  )
})

const refused = (problem: string) =>
  new StartRefused({ problems: [`${problem}; set it to a directory of this user`] })
