/** Answers that continue: Server-Sent Events. */
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
  /** A reader may continue after this position. */
  readonly id?: string
}): EventText => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** A comment that shows that the connection is alive. */
export const beat: EventText = ":\n\n"

/** How long a browser waits before it reconnects. */
const retry: EventText = "retry: 2000\n\n"

/** The answer, which lasts as long as its events. */
export const eventStream = (events: Stream.Stream<EventText>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.stream(Stream.encodeText(Stream.concat(Stream.succeed(retry), events)), {
    contentType: "text/event-stream",
    // Some proxies buffer an answer until it is complete.
    headers: { "x-accel-buffering": "no" }
  })
