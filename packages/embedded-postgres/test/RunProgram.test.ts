import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { linesOf, reasonIn, run } from "../src/RunProgram.ts"

const here = { user: undefined, cwd: "/" }

describe("reasonIn", () => {
  it.each([
    [
      "initdb on a full disk",
      'creating subdirectories ... initdb: error: could not create directory "pg_wal": No space left on device\n' +
        'initdb: removing contents of data directory "/data"\n',
      'could not create directory "pg_wal": No space left on device'
    ],
    [
      "a disk that fills up",
      "FATAL:  could not extend file: No space left on device\nHINT:  Check free disk space.\n" +
        "PANIC:  cannot abort transaction 1\nchild process was terminated by signal 6: Aborted\n",
      "could not extend file: No space left on device; cannot abort transaction 1"
    ],
    [
      "a server that ends",
      '2026-01-01 00:00:00 UTC [1] FATAL:  data directory "/data" has wrong ownership\n',
      'data directory "/data" has wrong ownership'
    ],
    [
      "a library that is missing",
      "postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file\n",
      "postgres: error while loading shared libraries: libicuuc.so.60: cannot open shared object file"
    ],
    ["silence", "\n", "it said nothing"]
  ])("finds the one line that says why in the words of %s", (_name, output, reason) => {
    assert.strictEqual(reasonIn(linesOf(output)), reason)
  })
})

describe("run", () => {
  it.live("answers what the program wrote about what it read", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run({ ...here, file: "/bin/cat", args: [], input: "words" })

      assert.strictEqual(stdout, "words")
    })
  )

  it.live("shows a program none of our environment", () =>
    Effect.gen(function* () {
      const { stdout } = yield* run({ ...here, file: "/usr/bin/env", args: [] })

      assert.strictEqual(stdout, "LC_ALL=C\nTZ=UTC\n")
    })
  )

  it.live("names why a program cannot be started", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(run({ ...here, file: "/no/such/program", args: [] }))

      assert.strictEqual(failure.code, "ENOENT")
    })
  )

  it.live("ends the program when it is interrupted", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(run({ ...here, file: "/bin/sleep", args: ["1000"] }), {
        startImmediately: true
      })

      // Waits until the program is gone; a test that runs out of time says it was not.
      const exit = yield* Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber))

      assert.strictEqual(exit._tag, "Failure")
    })
  )
})
