/** The service of one test, and the test's controls over it. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import { Sweeps } from "@runhook/core/sweeps/Sweeps"
import { Signals } from "@runhook/core/signals/Signals"
import { Executions } from "@runhook/core/executions/Executions"
import type { JsonObject } from "@runhook/sdk"
import * as Effect from "effect/Effect"
import * as BuiltInRunner from "./BuiltInRunner.ts"
import * as Callbacks from "./Callbacks.ts"
import type { FakeCallback, FakeOptions, FakeRequest } from "./FakeRunhook.ts"
import type { FakeFile, Question } from "./FakeTask.ts"
import { MovableClock } from "./MovableClock.ts"
import * as OwnWork from "./OwnWork.ts"
import { nextTurn, shortWhile } from "./RealTime.ts"
import { requestOf } from "./ReceiverSender.ts"
import { type Refusal, refusalAnswer } from "./Refusals.ts"
import { startService } from "./Service.ts"
import { makeTenant } from "./Tenant.ts"

/** This machine, where the programs under test are. */
const ownMachine = "127.0.0.0/8,::1,localhost"

export const startWorld = ({
  agents,
  baseUrl,
  callbackAllow = ownMachine,
  now,
  receive,
  tasks
}: FakeOptions<string, string> & { readonly baseUrl: string }) => {
  const clock = new MovableClock(now)
  const service = startService({ baseUrl, callbackAllow, clock, receive })
  const { runSync } = service
  const tenant = runSync(makeTenant({ tasks, agents }))
  const { accountId } = tenant
  const runner = runSync(BuiltInRunner.make(tenant.runnerKeyRecord))
  const ownWork = runSync(OwnWork.make(runner, tenant, tasks))
  const callbacks = runSync(Callbacks.make(accountId))
  service.begin(ownWork.loop)

  const requests: Array<FakeRequest> = []
  const refusals: Array<Refusal> = []

  const isRefused = (request: Request): boolean =>
    refusals.length > 0 && request.headers.get("authorization") === `Bearer ${tenant.apiKey}`

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    requests.push({ method: request.method, path: pathname + search, body: await bodyOf(request) })
    await nextTurn()
    const refusal = isRefused(request) ? refusals.shift() : undefined
    if (refusal !== undefined) return refusalAnswer(refusal)
    const answer = await clock.during(service.answer(request))
    request.signal.throwIfAborted()
    return answer
  }

  return {
    tenant,
    fetch,
    requests,
    start: (id: string): void => void runSync(runner.started(id)),
    complete: (id: string, result: JsonObject | null = null): void => runSync(runner.complete(id, result)),
    fail: (id: string, message: string): void => runSync(runner.fail(id, message)),
    ask: (id: string, question: Question): string => runSync(runner.ask(id, question)),
    capture: (id: string, file: FakeFile): string => runSync(runner.capture(id, file)),

    cancel: (id: string, reason?: string): void => {
      const ref = { accountId, id: ExecutionId.make(id.toLowerCase()) }
      runSync(Executions.use(({ stop }) => stop({ ...ref, to: "cancelled", reason: reason ?? null })))
    },

    callbacks: (): ReadonlyArray<FakeCallback> =>
      runSync(callbacks.all).map((delivery) => ({
        url: delivery.url,
        event: JSON.parse(delivery.body),
        deliverTo: async (to) => to(requestOf(runSync(callbacks.signed(delivery))))
      })),

    settled: async (): Promise<void> => {
      const isOver = Effect.gen(function* () {
        return (yield* ownWork.isOver) && (receive === undefined || (yield* callbacks.areOver))
      })
      while (!runSync(isOver)) {
        // A dispatcher that has found nothing pauses, and time may stand still.
        runSync(Signals.use(({ notify }) => notify(["deliveries"])))
        await clock.during(shortWhile())
      }
    },

    refuseNext: (refusal: Refusal): void => void refusals.push(refusal),

    advance: (milliseconds: number): void => {
      clock.advance(milliseconds)
      // Its runner has lived all the while.
      runSync(
        Effect.andThen(
          runner.beat,
          Sweeps.use(({ round }) => round)
        )
      )
    },

    close: service.close
  }
}

/** The JSON body of a request, or its text; files are not read. */
const bodyOf = async (request: Request): Promise<unknown> => {
  if (!/^(application\/json|text\/)/i.test(request.headers.get("content-type") ?? "")) return undefined
  const text = await request.clone().text()
  try {
    return JSON.parse(text)
  } catch {
    return text === "" ? undefined : text
  }
}
