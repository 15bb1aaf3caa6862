/** `@runhook/sdk/effect`: the client of the integration API as a service of Effect. */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { ApiRequest } from "../call/Request.ts"
import { type Agents, makeAgents, makeTasks, type Tasks } from "./Catalog.ts"
import { type Deliveries, makeDeliveries } from "./Deliveries.ts"
import type { RunhookError } from "./Errors.ts"
import { type Executions, makeExecutions } from "./Executions.ts"
import { type Files, makeFiles } from "./Files.ts"
import { makeSend } from "./Send.ts"
import { type CallOptions, completed, type RunhookOptions } from "./Settings.ts"
import { makeWebhooks, type Webhooks } from "./Webhooks.ts"

export type { ApiRequest } from "../call/Request.ts"
export { isFinished } from "../resources/Finished.ts"
export type { FileLink } from "../resources/Files.ts"
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
export type { CreateOptions, GetOptions, WaitOptions } from "./Executions.ts"
export type { CallOptions, RunhookOptions } from "./Settings.ts"
export { type ReceivedWebhook, verifyWebhook } from "./Webhooks.ts"

/**
 * The API as the holder of one key sees it, over the program's own `HttpClient`.
 * Calls retry what is safe to retry, and end as soon as they are interrupted.
 * What cannot be sent at all, such as an empty id, is a defect: a `TypeError`.
 *
 * ```ts
 * const runhook = yield* Runhook
 * const { status, result } = yield* runhook.executions.createAndWait({ agent_id, task_id, params })
 * ```
 */
export class Runhook extends Context.Service<
  Runhook,
  {
    /** Queue executions, follow them, stop them. */
    readonly executions: Executions
    /** The bytes of what runs captured. */
    readonly files: Files
    /** The tasks that the key may execute. */
    readonly tasks: Tasks
    /** The agents that the key may use. */
    readonly agents: Agents
    /** Try out a webhook receiver. */
    readonly webhooks: Webhooks
    /** What became of the webhooks, attempt by attempt. */
    readonly deliveries: Deliveries
    /** Calls what has no method here, with the same key, retries and errors. The answer's type is yours to say. */
    readonly request: <A>(request: ApiRequest, options?: CallOptions) => Effect.Effect<A, RunhookError>
  }
>()("@runhook/sdk/effect/Runhook") {
  /** The client of this service and key. Wrong options are a defect: a `TypeError` that names the option. */
  static layer(options: RunhookOptions): Layer.Layer<Runhook, never, HttpClient.HttpClient> {
    return Layer.effect(Runhook, make(options))
  }

  /** The same, configured: by `RUNHOOK_BASE_URL` and `RUNHOOK_API_KEY` unless told otherwise. */
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
  Effect.map(HttpClient.HttpClient, (http) => {
    const settings = completed(options, http)
    const send = makeSend(settings)
    return Runhook.of({
      executions: makeExecutions(send),
      files: makeFiles(send, settings.apiRoot),
      tasks: makeTasks(send),
      agents: makeAgents(send),
      webhooks: makeWebhooks(send),
      deliveries: makeDeliveries(send),
      request: (request, callOptions) => send(request, callOptions)
    })
  })
