/** A client of a server that meets its requests as a test says. */
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import { makeClient } from "../../src/promise/Client.ts"
import type { RunhookOptions } from "../../src/Runhook.ts"
import { startServer, testClock } from "./RawServer.ts"

export const apiKey = "rhlive_prefix_hush"

export const meeting = async (answers: ReadonlyArray<Answer>, options: Partial<RunhookOptions> = {}) => {
  const server = await startServer(...answers)
  const clock = testClock()
  return { server, clock, client: makeClient({ baseUrl: server.url, apiKey, ...options }, clock) }
}

/** What the call rejects with; undefined when it does not. */
export const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (failure: unknown) => failure
  )
