/** Calls the admin API of a running server: a memory store is in that process alone. */
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
import { given, type Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { find } from "../settings/DevelopmentSecrets.ts"

/** A client with the admin key of the settings, or with the one that a server in development mode keeps. */
export const adminClient = Effect.fnUntraced(function* ({ retries }: { readonly retries?: number } = {}) {
  const settings = yield* given
  const adminKey = yield* adminKeyOf(settings)
  return new RunhookAdmin({ baseUrl: baseUrlOf(settings), adminKey, retries })
})

/** Where commands look for the server. */
export const baseUrlOf = ({ baseUrl, host, port }: Given): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`

const adminKeyOf = Effect.fnUntraced(function* ({ adminKey, dataDir }: Given) {
  if (adminKey !== undefined) return Redacted.value(adminKey)
  const kept = yield* find(dataDir)
  if (Option.isSome(kept)) return Redacted.value(kept.value.adminKey)
  return yield* new CommandFailed({
    reason: `There is no admin key: set RUNHOOK_ADMIN_KEY (the server has not kept one in ${dataDir} either)`
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
