/** Who calls: finds the owner of the presented key, or answers 401 before anything else of the request is read. */
import {
  AdminAuthorization,
  ApiKeyAuthorization,
  Caller,
  RunnerAuthorization,
  RunnerCaller
} from "@runhook/contract/Authorization"
import { Authentication } from "@runhook/core/Authentication"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { toApiError } from "./ErrorTable.ts"

const apiKeys = Layer.effect(
  ApiKeyAuthorization,
  Effect.map(Authentication, (authentication) =>
    ApiKeyAuthorization.of({
      apiKey: (handler, { credential }) =>
        Effect.flatMap(toApiError(authentication.apiKey(credential)), (key) =>
          Effect.provideService(handler, Caller, key)
        )
    })
  )
)

const runnerKeys = Layer.effect(
  RunnerAuthorization,
  Effect.map(Authentication, (authentication) =>
    RunnerAuthorization.of({
      runnerKey: (handler, { credential }) =>
        Effect.flatMap(toApiError(authentication.runnerKey(credential)), (key) =>
          Effect.provideService(handler, RunnerCaller, key)
        )
    })
  )
)

const adminKeys = Layer.effect(
  AdminAuthorization,
  Effect.map(Authentication, (authentication) =>
    AdminAuthorization.of({
      adminKey: (handler, { credential }) =>
        Effect.andThen(toApiError(authentication.adminKey(credential)), handler)
    })
  )
)

/** The three kinds of key, each for its API. */
export const layer = Layer.mergeAll(apiKeys, runnerKeys, adminKeys)
