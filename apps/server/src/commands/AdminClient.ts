/** Calls the admin API of a running server: a memory store is in that process alone. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { AdminAuthorization } from "@runhook/contract/Authorization"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { given, type Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { find } from "../settings/DevelopmentSecrets.ts"

export type Client = Effect.Success<typeof makeClient>

/** Makes one call and prints the server's answer as JSON; nothing if the answer is empty. */
export const callAndPrint = <E>(call: (client: Client) => Effect.Effect<unknown, E>) =>
  Effect.flatMap(makeClient, (client) => printed(call(client)))

/** A client with the admin key of the settings, or with the one that a server in development mode keeps. */
const makeClient = Effect.gen(function* () {
  const settings = yield* given
  const baseUrl = baseUrlOf(settings)
  const key = yield* adminKeyOf(settings)
  const authorization = HttpApiMiddleware.layerClient(AdminAuthorization, ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, key))
  )
  return yield* HttpApiClient.make(AdminApi, { baseUrl }).pipe(Effect.provide(authorization))
})

/** Where commands look for the server. */
export const baseUrlOf = ({ baseUrl, host, port }: Given): string =>
  baseUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`

const adminKeyOf = Effect.fnUntraced(function* ({ adminKey, dataDir }: Given) {
  if (adminKey !== undefined) return adminKey
  const kept = yield* find(dataDir)
  if (Option.isSome(kept)) return kept.value.adminKey
  return yield* new CommandFailed({
    reason: `There is no admin key: set RUNHOOK_ADMIN_KEY (the server has not kept one in ${dataDir} either)`
  })
})

const printed = <E>(call: Effect.Effect<unknown, E>) =>
  call.pipe(
    Effect.mapError((error) => new CommandFailed({ reason: wordsOf(error) })),
    Effect.flatMap((answer) =>
      answer === undefined ? Effect.void : Console.log(JSON.stringify(answer, null, 2))
    )
  )

const decodeErrorObject = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
)

const wordsOf = (error: unknown): string => {
  if (error instanceof CommandFailed) return error.reason
  if (HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError") {
    return `No server answers at ${new URL(error.request.url).origin}: start one, or set RUNHOOK_BASE_URL to where it is`
  }
  return Option.match(decodeErrorObject(error), {
    onNone: () => "The server answered something that is not of its admin API: is RUNHOOK_BASE_URL right?",
    onSome: (answer) => answer.error.message
  })
}
