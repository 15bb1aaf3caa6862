import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { secretIn } from "../../src/settings/SecretFile.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-secret-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** Its secret, or what is wrong with it. */
const readIn = (file: string) => secretIn(file).pipe(Effect.catch(Effect.succeed))

const key = "0123456789abcdef0123456789abcdef"
const utf16 = (text: string) => Buffer.from(text, "utf16le")

describe("the file of a secret", () => {
  it.effect.each([
    ["as it is", key, key],
    ["with a line end", `${key}\r\n\r\n`, key],
    ["with the mark of UTF-8", `\ufeff${key}\n`, key],
    ["in UTF-16", utf16(`\ufeff${key}`), "is UTF-16, as Notepad and PowerShell write it: save it as UTF-8"],
    [
      "in UTF-16 without its mark",
      utf16(key),
      "is UTF-16, as Notepad and PowerShell write it: save it as UTF-8"
    ],
    [
      "in UTF-16 the other way",
      utf16(`\ufeff${key}`).swap16(),
      "is UTF-16, as Notepad and PowerShell write it: save it as UTF-8"
    ],
    ["in no encoding", Buffer.from([0x61, 0xff, 0x62]), "is not UTF-8"],
    ["that is no secret", Buffer.alloc(1024 * 1024 + 1, "a"), "is larger than 1 MiB"]
  ] as const)("is read %s", ([, content, expected]) =>
    Effect.gen(function* () {
      const file = join(yield* folder, "admin.key")
      yield* Effect.promise(() => writeFile(file, content))

      const read = yield* readIn(file)

      assert.strictEqual(read.replace(`: ${file}`, ""), expected)
    }).pipe(Effect.scoped)
  )

  it.effect("is no pipe, which nobody may write into, and no folder", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const pipe = join(made, "pipe")
      yield* Effect.promise(() => promisify(execFile)("mkfifo", [pipe]))

      const problems = yield* Effect.all([
        readIn(pipe),
        readIn(made),
        readIn("/dev/null"),
        readIn(join(made, "none"))
      ])

      assert.deepStrictEqual(problems, [
        `is not a regular file: ${pipe}`,
        `is not a regular file: ${made}`,
        "is not a regular file: /dev/null",
        `cannot be read: ${join(made, "none")} (ENOENT)`
      ])
    }).pipe(Effect.scoped)
  )
})
