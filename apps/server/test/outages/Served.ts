/** A service on a database of the test, which is to outlast an outage of that. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually } from "../Http.ts"
import { runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { assertAway, callerOf } from "./Verbs.ts"

const adminKey = "the-admin-key-of-the-outage-test"

/** The service, and somebody who calls it. */
export const servedOn = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>) {
  const server = yield* runningServer({
    RUNHOOK_MODE: "development",
    RUNHOOK_DEMO: "off",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_ADMIN_KEY: adminKey,
    ...settings
  })
  const caller = yield* Effect.promise(() => callerOf(server.baseUrl, adminKey))
  yield* eventually(Effect.promise(caller.isReady), (is) => is)
  return { ...server, ...caller }
})

type Served = Effect.Success<ReturnType<typeof servedOn>>

/** Everything that writes is answered 503, and the service is not ready. */
export const assertRefused = Effect.fnUntraced(function* (
  { everything, isReady }: Pick<Served, "everything" | "isReady">,
  when = "now"
) {
  const answers = yield* Effect.promise(everything)
  answers.forEach(([verb, answer]) => assertAway(`${verb}, ${when}`, answer))
  // What was asked a moment before is remembered for a second.
  yield* eventually(Effect.promise(isReady), (is) => !is)
})

/** Waits until the service goes on, and finds what it logged: one line at the beginning, one at the end, and one every half minute in between. */
export const assertOneOutage = Effect.fnUntraced(function* (
  { create, isReady, log }: Pick<Served, "create" | "isReady" | "log">,
  meaning: RegExp
) {
  yield* eventually(Effect.promise(isReady), (is) => is)
  yield* eventually(Effect.promise(create), ({ status }) => status === 201)
  yield* eventually(Effect.sync(log), (lines) => lines.includes("The store is back"))
  const lines = log()
    .split("\n")
    .filter((line) => /"level":"(warn|error|fatal)"|The store is/.test(line))
    // PostgreSQL says so of a cache of its own, when a connection comes at that moment.
    .filter((line) => !/The store is still away|could not write init file/.test(line))
  assert.lengthOf(lines, 2, lines.join("\n"))
  assert.match(lines[0] ?? "", /The store is away/)
  assert.match(lines[0] ?? "", meaning)
  assert.match(lines[1] ?? "", /The store is back after/)
})
