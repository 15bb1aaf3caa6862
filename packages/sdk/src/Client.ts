/** The calls of the API, over whatever sends requests and tells the time. */
import type { Call } from "./call/Answer.ts"
import type { Clock } from "./call/Clock.ts"
import type { ApiRequest } from "./call/Request.ts"
import { makeSend } from "./call/Send.ts"
import { type CallOptions, type RunhookOptions, settingsOf } from "./call/Settings.ts"
import { makeAgents, makeTasks } from "./resources/Catalog.ts"
import { makeDeliveries } from "./resources/Deliveries.ts"
import { makeExecutions } from "./resources/Executions.ts"
import { makeFiles } from "./resources/Files.ts"
import { makeWebhooks } from "./resources/Webhooks.ts"

export const makeClient = (options: RunhookOptions, clock: Clock) => {
  const settings = settingsOf(options)
  const send = makeSend(settings, clock)
  return {
    executions: makeExecutions(send, clock),
    files: makeFiles(send, settings.apiRoot),
    tasks: makeTasks(send),
    agents: makeAgents(send),
    webhooks: makeWebhooks(send),
    deliveries: makeDeliveries(send, clock),
    request: <A>(request: ApiRequest, callOptions?: CallOptions): Call<A> => send<A>(request, callOptions)
  }
}
