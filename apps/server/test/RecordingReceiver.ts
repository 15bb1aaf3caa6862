/** A receiver of callbacks that keeps what it got, and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { buffer } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"
import { listening } from "./Listening.ts"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Such as `queued`. */
  readonly type: string
  readonly executionId: string
}

/** `statusFor` may take its time. */
export const recordingReceiver = Effect.fnUntraced(function* (
  statusFor: (received: Received) => number | Promise<number>
) {
  const all: Array<Received> = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { execution, type } = JSON.parse(body.toString())
    const received = {
      headers: request.headers,
      body,
      type: type.replace("execution.", ""),
      executionId: execution.id
    }
    all.push(received)
    response.writeHead(await statusFor(received)).end()
  })
  const url = yield* listening(server)
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
      )
  }
})
