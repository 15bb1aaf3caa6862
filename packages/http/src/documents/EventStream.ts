/** Answers that go on: Server-Sent Events. */
import type { Json } from "@runhook/core/domain/json/Json"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"

/** One event as it is sent, or a comment. */
export type EventText = string

export const eventText = ({
  data,
  event,
  id
}: {
  readonly event: string
  readonly data: Json
  /** Who has read it may go on behind it. */
  readonly id?: string
}): EventText => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** Says that the connection is alive. */
export const beat: EventText = ":\n\n"

/** How long a browser waits before it connects anew. */
const retry: EventText = "retry: 2000\n\n"

/** The answer, which lasts as long as its events. */
export const eventStream = (events: Stream.Stream<EventText>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.encodeText(Stream.concat(Stream.succeed(retry), events)), {
    contentType: "text/event-stream",
    // Some proxies gather an answer until it is whole.
    headers: { "x-accel-buffering": "no" }
  })
