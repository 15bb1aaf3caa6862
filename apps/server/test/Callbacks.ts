/** Callbacks that a test receives, of which each is answered as it is told. */
import { type Received, start } from "@runhook/test-support/receivers/Receiver"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"

export interface Callback extends Received {
  /** Such as `queued`. */
  readonly type: string
  readonly eventId: string
  /** Empty for a test. */
  readonly executionId: string
}

const callbackOf = (received: Received): Callback => {
  const { event_id: eventId, execution, type } = JSON.parse(received.body)
  return { ...received, type: type.replace("execution.", ""), eventId, executionId: execution?.id ?? "" }
}

/** `statusFor` gets how many came before, and may take its time. */
export const callbacks = Effect.fnUntraced(function* (
  statusFor: (callback: Callback, before: number) => number | Promise<number>
) {
  const all: Array<Callback> = []
  const { url } = yield* start(async (response, received) => {
    const callback = callbackOf(received)
    const before = all.push(callback) - 1
    response.writeHead(await statusFor(callback, before)).end()
  })
  const typesOf = (executionId: string) =>
    all.filter((each) => each.executionId === executionId).map(({ type }) => type)
  return {
    url,
    all,
    typesOf,
    /** Waits until an event of the execution has arrived. */
    arrived: (executionId: string, type: string) =>
      eventually(
        Effect.sync(() => typesOf(executionId)),
        (types) => types.includes(type)
      ),
    /** The ids of the events, once there are this many. */
    eventIds: (count: number) =>
      eventually(
        Effect.sync(() => all.map(({ eventId }) => eventId)),
        ({ length }) => length >= count
      )
  }
})

/** Answers 500 a few times, and from then on 204. */
export const failing = (times: number) => callbacks((_, before) => (before < times ? 500 : 204))
