import { mkdir, readlink, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { complete } from "../src/LibraryLinks.ts"
import { temporaryFolder } from "./Folder.ts"

/** What npm leaves of the package where its script did not run, and one link that it has. */
const unlinked = Effect.gen(function* () {
  const folder = yield* temporaryFolder
  const native = join(folder, "native")
  const links = ["libicu.so", "libicu.so.60"].map((name) => ({
    source: "native/lib/libicu.so.60.2",
    target: `native/lib/${name}`
  }))
  yield* Effect.promise(async () => {
    await mkdir(join(native, "lib"), { recursive: true })
    await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(links))
    await symlink("libicu.so.60.2", join(native, "lib/libicu.so"))
  })
  return native
})

describe("the links between libraries", () => {
  it.effect("are made where the script of the package did not run, and left where it did", () =>
    Effect.gen(function* () {
      const native = yield* unlinked

      yield* complete(native)
      yield* complete(native)

      const targets = yield* Effect.promise(() =>
        Promise.all(["libicu.so", "libicu.so.60"].map((name) => readlink(join(native, "lib", name))))
      )
      assert.deepStrictEqual(targets, ["libicu.so.60.2", "libicu.so.60.2"])
    })
  )

  it.effect("are asked for by name where they cannot be made", () =>
    Effect.gen(function* () {
      const native = yield* unlinked
      yield* Effect.promise(async () => {
        const listed = [{ source: "native/lib/libicu.so.60.2", target: "native/gone/libicu.so.60" }]
        await writeFile(join(native, "pg-symlinks.json"), JSON.stringify(listed))
      })

      const { message } = yield* Effect.flip(complete(native))

      assert.match(message, /links between its libraries are missing.*\(ENOENT\); let the install script/)
    })
  )
})
