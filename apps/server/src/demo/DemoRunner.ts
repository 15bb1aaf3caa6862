/** A runner inside the server, that of the SDK. It calls the service at its own address, like any runner. */
import { Signals } from "@runhook/core/signals/Signals"
import { Draining } from "@runhook/core/engine/Draining"
import type { PageFetcher } from "@runhook/guarded-http/PageFetcher"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { createRunner, type RunnerLogEntry, TaskError } from "@runhook/sdk/runner"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Readiness } from "../process/Readiness.ts"
import type { ServerSettings } from "../settings/ServerSettings.ts"
import { DemoAccount, slots } from "./DemoAccount.ts"
import { pagePath } from "./DemoPaths.ts"
import { fetchPage } from "./FetchPage.ts"
import type { Params } from "./FetchPageTask.ts"

/** Serves the demo agent until the service drains. Work in flight continues until the scope ends. */
export const layer = (settings: ServerSettings) => Layer.effectDiscard(serving(settings))

const serving = Effect.fnUntraced(function* ({ store }: ServerSettings) {
  const { agent, runnerKey } = yield* DemoAccount
  const baseUrl = yield* BaseUrl
  const draining = yield* Draining
  const readiness = yield* Readiness
  const signals = yield* Signals
  const services = yield* Effect.context<PageFetcher>()
  const run = Effect.runPromiseWith(services)

  const scope = new AbortController()
  yield* Effect.addFinalizer(() => Effect.sync(() => scope.abort()))

  const runner = createRunner<{ "fetch-page": { params: typeof Params.Type; result: object } }>({
    baseUrl,
    apiKey: Redacted.value(runnerKey),
    agentIds: [agent.id],
    capacity: slots,
    name: "demo-runner",
    // If no other server has this database, the next life of this one finds its work again: its pages can be fetched twice.
    instanceId: store._tag === "Server" ? undefined : "demo-runner",
    recover: "resume",
    // A stop refuses it, so it ends and tells nothing of its work: the next life goes on with that.
    fetch: async (input, init) => (scope.signal.aborted ? refusal() : fetch(input, init)),
    // A page that cannot be fetched is for those who asked for it.
    log: (entry) => void run(logged(entry)),
    tasks: {
      "fetch-page": async ({ artifacts, params, signal }) => {
        const work = Effect.mapError(
          fetchPage(params.url ?? baseUrl + pagePath),
          ({ message }) => new TaskError(message)
        )
        const { files, result } = await run(work, { signal })
        for (const { bytes, contentType, fileName, kind } of files) {
          await artifacts[kind](bytes, { file_name: fileName, content_type: contentType })
        }
        return result
      }
    }
  })

  const untilDraining = Effect.scoped(
    Effect.gen(function* () {
      const signal = yield* signals.subscribe(["draining"])
      while (!(yield* draining.hasBegun)) yield* signal
    })
  )

  yield* readiness.await.pipe(
    Effect.andThen(Effect.tryPromise(() => runner.start())),
    Effect.andThen(untilDraining),
    Effect.andThen(Effect.sync(() => runner.drain())),
    Effect.catchCause((cause) => Effect.logWarning("The demo runner stumbled", cause)),
    Effect.forkScoped
  )
})

const logged = ({ fields, message }: RunnerLogEntry) =>
  Effect.logDebug(`Demo runner: ${message}`, fields ?? {})

const refusal = () =>
  Response.json(
    {
      error: { code: "unauthorized", message: "The service has stopped", details: null, request_id: "req_0" }
    },
    { status: 401 }
  )
