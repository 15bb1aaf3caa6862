import { randomInt } from "node:crypto"
import { readdir } from "node:fs/promises"
import { createServer } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { listening } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { makeCaller } from "./Caller.ts"
import { runhook, startingServer, temporaryDirectory } from "./RunhookProcess.ts"

const linesOf = (text: string) => text.trimEnd().split("\n")

describe("a server that starts", () => {
  it.live("says in one line that its port is in use, before it prepares a database", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryDirectory
      const port = yield* takenPort

      const { code, stderr } = yield* runhook([], {
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: dataDir,
        RUNHOOK_PORT: String(port)
      })

      assert.strictEqual(code, 1)
      assert.deepStrictEqual(linesOf(stderr), [inUse(port)])
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(dataDir)), [])
    })
  )

  it.live("leaves the port to one of two that are started at once, and the other prepares nothing", () =>
    Effect.gen(function* () {
      const port = makePort()
      const dataDirs = [yield* temporaryDirectory, yield* temporaryDirectory]
      const servers = yield* Effect.forEach(dataDirs, (dataDir) =>
        startingServer({
          RUNHOOK_MODE: "development",
          RUNHOOK_DEMO: "off",
          RUNHOOK_DATA_DIR: dataDir,
          RUNHOOK_PORT: String(port)
        })
      )

      const [loser, { code, stderr }] = yield* Effect.raceAll(
        servers.map(({ ended }, index) => Effect.map(ended, (end) => [index, end] as const))
      )
      const winner = servers[1 - loser]
      winner?.signal("SIGTERM")

      assert.strictEqual(code, 1)
      assert.deepStrictEqual(linesOf(stderr), [inUse(port)])
      assert.strictEqual(winner === undefined ? undefined : (yield* winner.ended).code, 0)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(dataDirs[loser] ?? "")), [])
    })
  )

  it.live("answers that it is starting until its database is prepared, and stops at once", () =>
    Effect.gen(function* () {
      const port = makePort()
      const server = yield* startingServer({
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_PORT: String(port)
      })
      const url = `http://127.0.0.1:${port}`

      const answer = yield* Effect.tryPromise(() => fetch(`${url}/readyz`)).pipe(
        Effect.retry(Schedule.spaced("5 millis")),
        Effect.orDie
      )
      const body = yield* Effect.promise(() => answer.text())
      // A silent caller, for whom a stop would wait.
      const silent = yield* makeCaller(url)
      server.signal("SIGTERM")
      const { code } = yield* server.ended

      assert.deepStrictEqual([answer.status, code, silent.heard()], [503, 0, ""])
      assert.include(body, "The service is starting: try again")
    })
  )
})

const inUse = (port: number) =>
  `runhook: RUNHOOK_PORT ${port} is in use on 127.0.0.1: stop what uses it, or set another (0 takes any free one)`

/** A port that the system does not give out by itself. */
const makePort = () => randomInt(20_000, 30_000)

const takenPort = Effect.suspend(() => listening(createServer()))
