/** What a server must be before anything is done with it. */
import * as Effect from "effect/Effect"
import { checkedSessions } from "../connections/SharedSessions.ts"
import { checkedCoordinator } from "./Coordinator.ts"
import { checkedVersion } from "./ServerVersion.ts"

/** Answers the version of the server, unless it is unfit. Nothing is changed. */
export const checkedServer = Effect.gen(function* () {
  yield* checkedSessions
  const version = yield* checkedVersion
  yield* checkedCoordinator
  return version
})
