/** Calls the APIs of a running server: a memory store is in that process alone. */
import { type LogEntry, Runhook } from "@runhook/sdk"
import {
  ApiError,
  ConnectionError,
  InternalError,
  NotFoundError,
  RunhookAdmin,
  TimeoutError,
  UnexpectedAnswerError
} from "@runhook/sdk/admin"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { apiKey, given, type Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { find } from "../settings/DevelopmentSecrets.ts"

interface ClientOptions {
  readonly log?: (entry: LogEntry) => void
}

/** A person who waits is told at once that there is no server. Commands that go on without one say so themselves. */
const retries = 0

interface AdminOptions extends ClientOptions {
  /** What else could have been set. */
  readonly alternative?: string
}

/** A client with the admin key of the settings, or with the one that a server in development mode keeps. */
export const adminClient = Effect.fnUntraced(function* ({ alternative = "", ...options }: AdminOptions = {}) {
  const settings = yield* given
  const adminKey = yield* adminKeyOf(settings, alternative)
  return yield* made(() => new RunhookAdmin({ baseUrl: baseUrlOf(settings), adminKey, retries, ...options }))
})

/** For commands that take the key of an integration as well. */
export const orApiKey = ", or RUNHOOK_API_KEY to the key of an integration"

/** A client with the key in `RUNHOOK_API_KEY`; undefined if there is none. */
export const keyClient = Effect.fnUntraced(function* (options: ClientOptions = {}) {
  const key = yield* Effect.mapError(apiKey, (reason) => new CommandFailed({ reason }))
  if (key === undefined) return undefined
  const baseUrl = baseUrlOf(yield* given)
  return yield* made(() => new Runhook({ baseUrl, apiKey: Redacted.value(key), retries, ...options }))
})

const made = <A>(client: () => A) => Effect.try({ try: client, catch: failureOf })

/** Where commands look for the server. */
export const baseUrlOf = ({ baseUrl, host, port }: Given): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`

const adminKeyOf = Effect.fnUntraced(function* ({ adminKey, dataDir }: Given, alternative: string) {
  if (adminKey !== undefined) return Redacted.value(adminKey)
  const kept = yield* find(dataDir)
  if (Option.isSome(kept)) return Redacted.value(kept.value.adminKey)
  return yield* new CommandFailed({
    reason: `There is no admin key: set RUNHOOK_ADMIN_KEY${alternative} (the server has not kept one in ${dataDir} either)`
  })
})

/** Makes calls. Fails with what to tell the user, and with the exit code for it. */
export const called = <A>(call: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: call, catch: failureOf })

export const failureOf = (error: unknown): CommandFailed => {
  if (error instanceof CommandFailed) return error
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof ConnectionError)
    return new CommandFailed({
      reason: `${reason}. Start a server, or set RUNHOOK_BASE_URL to where it is`,
      exitCode: 5
    })
  if (error instanceof TimeoutError) return new CommandFailed({ reason, exitCode: 5 })
  if (error instanceof UnexpectedAnswerError)
    return new CommandFailed({
      reason: "The server answered something that is not of its API: is RUNHOOK_BASE_URL right?"
    })
  if (error instanceof NotFoundError) return new CommandFailed({ reason, exitCode: 3 })
  if (error instanceof InternalError)
    return new CommandFailed({ reason, exitCode: error.status === 503 ? 5 : 1 })
  if (error instanceof ApiError) return new CommandFailed({ reason, exitCode: 4 })
  // An id that no path can hold.
  return new CommandFailed({ reason, exitCode: 2 })
}
