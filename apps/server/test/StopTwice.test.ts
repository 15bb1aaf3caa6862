import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { demoOf } from "./Demo.ts"
import { databaseIn, durableDirectory } from "./DurableDirectory.ts"
import { bodyOf, eventually, request } from "./Http.ts"
import { type Running, runningServer } from "./RunhookProcess.ts"

const Executions = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Ctrl-C until it has had enough. */
const insist = Effect.fnUntraced(function* ({ ended, signal }: Running) {
  let hasEnded = false
  yield* Effect.forkChild(
    Effect.tap(ended, () => Effect.sync(() => (hasEnded = true))),
    {
      startImmediately: true
    }
  )
  yield* eventually(
    Effect.sync(() => {
      signal("SIGINT")
      return hasEnded
    }),
    (found) => found
  )
  return yield* ended
})

describe("a server that is told to stop a second time", () => {
  it.live("leaves nothing of its database running, and the next one has everything", () =>
    Effect.gen(function* () {
      const settings = {
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* durableDirectory,
        RUNHOOK_STOP_NOTICE: "300"
      }
      const first = yield* runningServer(settings)
      const { execution_id: created } = yield* demoOf(first).create({ hold: true })
      const database = (yield* databaseIn(settings.RUNHOOK_DATA_DIR)) ?? 0

      const { code, stderr } = yield* insist(first)

      assert.strictEqual(code, 130)
      assert.include(stderr, "Stopping")
      assert.isUndefined(yield* databaseIn(settings.RUNHOOK_DATA_DIR))
      yield* eventually(
        Effect.sync(() => isAlive(database)),
        (isThere) => !isThere
      )
      const second = yield* runningServer(settings)
      const demo = demoOf(second)
      const { data } = yield* Effect.flatMap(
        request(demo.executions, { headers: demo.headers }),
        bodyOf(Executions)
      )
      assert.include(
        data.map(({ id }) => id),
        created
      )
      assert.notInclude(second.log(), "of an earlier service")
    })
  )
})
