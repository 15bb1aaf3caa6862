/** The calls of the integration API as effects and streams. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { lookMs } from "../call/Retry.ts"
import type { ClientTypes, IntegrationClient } from "../requests/Client.ts"
import { integration, type IntegrationCalls } from "../requests/Integration.ts"
import type { ApiRequest, Wait } from "../requests/Request.ts"
import type { Page, WebhookMessage } from "../wire/Integration.ts"
import { readAny, readNothing } from "./Answer.ts"
import { sendBatch } from "./Batch.ts"
import type { RunhookError } from "./Errors.ts"
import { follow } from "./Follow.ts"
import { streamOf } from "./List.ts"
import { messagesOf } from "./Messages.ts"
import { openFile } from "./OpenFile.ts"
import { makeSend } from "./Send.ts"
import type { CallOptions, Settings, WaitLimits } from "./Settings.ts"

/** No limits for the single requests of a wait: the wait has its own. */
const unlimited = { retries: Infinity, timeout: Infinity }

interface Effects extends ClientTypes {
  readonly call: Effect.Effect<this["A"], RunhookError>
  readonly list: Stream.Stream<this["A"], RunhookError>
  readonly wait: Effect.Effect<this["A"], RunhookError>
  readonly follow: Stream.Stream<this["A"], RunhookError>
  readonly file: Stream.Stream<Uint8Array, RunhookError>
  readonly messages: Stream.Stream<WebhookMessage, RunhookError>
  readonly options: CallOptions
  readonly waitOptions: WaitLimits
}

/** The same, but that lists are their first page. */
interface Pages extends Omit<Effects, "list"> {
  readonly list: Effect.Effect<Page<this["A"]>, RunhookError>
}

type Calls = IntegrationCalls<Effects>
type PageCalls = IntegrationCalls<Pages>

interface WithPage<List> {
  /** Only one page of the list: the first, or the one of `cursor`. */
  readonly page: List
}

export interface RunhookClient extends Calls {
  /** Queue executions, follow them, stop them. */
  readonly executions: Calls["executions"] & WithPage<PageCalls["executions"]["list"]>
  /** Executions that are created again and again. */
  readonly schedules: Calls["schedules"] & WithPage<PageCalls["schedules"]["list"]>
  /** The tasks that the key may execute. */
  readonly tasks: Calls["tasks"] & WithPage<PageCalls["tasks"]["list"]>
  /** The agents that the key may use. */
  readonly agents: Calls["agents"] & WithPage<PageCalls["agents"]["list"]>
  /** Webhook deliveries, attempt by attempt. */
  readonly deliveries: Calls["deliveries"] &
    WithPage<PageCalls["deliveries"]["list"]> & {
      /** The jobs that `replayAll` begins. */
      readonly replays: WithPage<PageCalls["deliveries"]["replays"]["list"]>
    }
  /** Calls what has no method here, with the same key, retries and errors. The answer's type is yours to say; it is null where there is no body. */
  readonly request: <A>(request: ApiRequest, options?: CallOptions) => Effect.Effect<A, RunhookError>
}

export const makeClient = (settings: Settings): RunhookClient => {
  const send = makeSend(settings)
  const waitFor = <A>({ isOver, look }: Wait<A, WaitLimits>): Effect.Effect<A, RunhookError> =>
    Effect.repeat(send({ ...look, options: { ...look.options, ...unlimited } }), {
      until: (seen) => isOver(seen),
      schedule: Schedule.fixed(lookMs)
    })

  const client: IntegrationClient<Effects> = {
    call: (request) => send(request),
    list: (firstPage) => streamOf(firstPage, send),
    nothing: (request) => send(request, readNothing),
    file: (request) => Stream.unwrap(send(request, openFile)),
    messages: (reading) => messagesOf(reading, send),
    link: (path) => settings.apiRoot + path,
    wait: waitFor,
    follow: (following) => follow(following, send),
    batch: (batch) => sendBatch(batch, { limits: settings.limits, send }),
    makeAndWait: ({ make, waitFor: waitForThing }) =>
      Effect.flatMap(send(make), (thing) => waitFor(waitForThing(thing)))
  }
  const calls = integration(client)
  const pages = integration<Pages>({ ...client, list: (firstPage) => send(firstPage) })
  const { replays, ...deliveries } = calls.deliveries
  return {
    ...calls,
    executions: { ...calls.executions, page: pages.executions.list },
    schedules: { ...calls.schedules, page: pages.schedules.list },
    tasks: { ...calls.tasks, page: pages.tasks.list },
    agents: { ...calls.agents, page: pages.agents.list },
    deliveries: {
      ...deliveries,
      page: pages.deliveries.list,
      replays: { ...replays, page: pages.deliveries.replays.list }
    },
    request: <A>(request: ApiRequest, options?: CallOptions) => send({ ...request, options }, readAny<A>)
  }
}
