/** A call, once for each way to make it. */
import type * as Effect from "effect/Effect"
import type { Call } from "@runhook/test-support/world/Api"
import type * as SdkEffect from "../../src/effect/Runhook.ts"
import type { Everything } from "./Everything.ts"

/** One call in five ways: of the client, of the client for Effect, of those for Python and Go, and by hand. */
export interface Ways {
  readonly client: () => Promise<unknown>
  readonly effect: (runhook: SdkEffect.Runhook["Service"]) => Effect.Effect<unknown, SdkEffect.RunhookError>
  /** An expression behind `runhook.`, the same for both clients for Python, with the names of \`namesIn\`. */
  readonly python: string
  /** An expression of the package for Go, with the same names in `given`. */
  readonly go: string
  readonly raw: Omit<Call, "key">
  /** Fields in which the answers differ, since each way has a thing of its own. */
  readonly own?: ReadonlyArray<string>
}

export const root = "/integrations"
/** What expressions of Python and Go name in a world. */
export const namesIn = (world: Everything, own: "byAsyncPython" | "byGo" | "byPython") => {
  const {
    alertTarget,
    asking,
    done,
    endpoint,
    file,
    held,
    job,
    queued,
    replay,
    request,
    schedule,
    service,
    settled,
    tenant,
    waiting
  } = world
  return {
    asking,
    done,
    file,
    held,
    job,
    queued,
    replay,
    request,
    tenant,
    waiting,
    settled: { shown: settled.shown, own: settled[own] },
    schedule: { shown: schedule.shown, own: schedule[own] },
    alert_target: { shown: alertTarget.shown, own: own === "byGo" ? "" : alertTarget[own] },
    endpoint: { shown: endpoint.shown, tested: endpoint.tested, own: endpoint[own] },
    url: service.url
  }
}
