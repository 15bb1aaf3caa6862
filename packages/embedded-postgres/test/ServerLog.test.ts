import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import * as ServerLog from "../src/ServerLog.ts"

describe("ServerLog.pass", () => {
  it.effect.each([
    { line: "LOG:  database system is shut down", level: "Debug" },
    { line: "FATAL:  the database system is starting up", level: "Debug" },
    { line: "LOG:  server process (PID 7) was terminated by signal 9: Killed", level: "Info" },
    { line: "postgres: could not find the database system", level: "Info" },
    { line: "WARNING:  out of shared memory", level: "Warn" },
    { line: "FATAL:  sorry, too many clients already", level: "Warn" },
    { line: "PANIC:  could not write to file: No space left on device", level: "Error" }
  ])("passes $line on as $level", ({ line, level }) =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const logger = Logger.make(({ logLevel, message }) => {
        seen.push(`${logLevel} ${String(message)}`)
      })

      yield* ServerLog.pass(line).pipe(
        Effect.provide(Logger.layer([logger])),
        Effect.provideService(References.MinimumLogLevel, "All")
      )

      assert.deepStrictEqual(seen, [`${level} PostgreSQL: ${line.replace(/^[A-Z]+: +/, "")}`])
    })
  )
})

describe("ServerLog.passingNews", () => {
  it.effect("passes what is said of every statement on once, and again after ten minutes", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const logger = Logger.make(({ message }) => void seen.push(String(message)))
      const complaint = (file: number) =>
        `ERROR:  could not extend file "base/16385/${file}": No space left on device`
      const hear = ServerLog.passingNews()

      yield* Effect.gen(function* () {
        yield* Effect.forEach([2619, 2620, 2621], (file) => hear(complaint(file)))
        yield* hear("LOG:  redo starts at 0/1")
        yield* TestClock.adjust(ServerLog.repeatedAfter)
        yield* hear(complaint(2622))
      }).pipe(Effect.provide(Logger.layer([logger])))

      assert.deepStrictEqual(
        seen.map((line) => /extend file|redo/.exec(line)?.[0]),
        ["extend file", "redo", "extend file"]
      )
    })
  )
})
