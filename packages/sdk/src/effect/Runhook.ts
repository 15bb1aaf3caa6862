/** `@runhook/sdk/effect`: the client of the integration API as a service of Effect. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { makeClient, type RunhookClient } from "./Client.ts"
import { completed, type RunhookOptions } from "./Settings.ts"

export type { FileLink } from "../requests/Files.ts"
export { isFinished } from "../requests/Finished.ts"
export type { ApiRequest } from "../requests/Request.ts"
export type { WebhookHeaders, WebhookRejectedReason } from "../webhooks/Verify.ts"
export type * from "../wire/Integration.ts"
export {
  type ApiError,
  ConcurrencyLimitReachedError,
  ConnectionError,
  type Failure,
  ForbiddenError,
  IdempotencyConflictError,
  InternalError,
  InvalidParamsError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  type Refusal,
  type RunhookError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
  UnknownCodeError,
  WebhookRejectedError
} from "./Errors.ts"
export type { CallOptions, CreateOptions, GetOptions, RunhookOptions, WaitOptions } from "./Settings.ts"
export { type ReceivedWebhook, verifyWebhook } from "./VerifyWebhook.ts"

/**
 * The API for the holder of one key, over the program's own `HttpClient`.
 * Calls retry what is safe to retry, and end as soon as they are interrupted.
 * What cannot be sent at all, such as an empty id, is a defect: a `TypeError`.
 * The examples of its calls are those of the client that makes promises: read
 * `yield*` for `await`, and a `Stream` for a list.
 *
 * ```ts
 * const runhook = yield* Runhook
 * const { status, result } = yield* runhook.executions.createAndWait({ agent_id, task_id, params })
 * ```
 */
export class Runhook extends Context.Service<Runhook, RunhookClient>()("@runhook/sdk/effect/Runhook") {
  /** The client of this service and key. Wrong options are a defect: a `TypeError` that names the option. */
  static layer(options: RunhookOptions): Layer.Layer<Runhook, never, HttpClient.HttpClient> {
    return Layer.effect(Runhook, make(options))
  }

  /** The same, from configuration: `RUNHOOK_BASE_URL` and `RUNHOOK_API_KEY` by default. */
  static layerConfig(
    config: Config.Config<RunhookOptions> = fromEnvironment
  ): Layer.Layer<Runhook, Config.ConfigError, HttpClient.HttpClient> {
    return Layer.effect(Runhook, Effect.flatMap(config, make))
  }
}

const fromEnvironment = Config.all({
  baseUrl: Config.String("RUNHOOK_BASE_URL"),
  apiKey: Config.Redacted("RUNHOOK_API_KEY")
})

const make = (options: RunhookOptions) =>
  Effect.map(HttpClient.HttpClient, (http) => Runhook.of(makeClient(completed(options, http))))
