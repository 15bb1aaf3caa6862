/**
 * Answers that continue: Server-Sent Events. Their bytes are counted here, so that no
 * handler has to: the streams of an account wait for their turn as its large answers do.
 */
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { eventForm } from "@runhook/contract/openapi/EventForm"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

import { CurrentCall } from "../pipeline/Call.ts"
import { prefers } from "../pipeline/answer/Negotiation.ts"

const utf8 = new TextEncoder()

/** One event as it is sent, or a comment. */
export type EventText = string

export const eventText = ({
  data,
  event,
  id
}: {
  readonly event: string
  /** JSON on one line. */
  readonly data: string
  /** A reader may continue after this position. */
  readonly id?: string
}): EventText => `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`

/** A comment that shows that the connection is alive. */
export const beat: EventText = ":\n\n"

/**
 * A proxy closes connections that are silent for a minute; a follower that hears
 * nothing for longer than this may reconnect.
 */
const beatEvery = "15 seconds"

/** The texts of news as they come, and comments in between, until there are no more. */
export const textsOf = <News>(
  next: Effect.Effect<Option.Option<News>>,
  show: (news: News) => ReadonlyArray<EventText>
): Stream.Stream<EventText> =>
  Stream.paginate(null, () =>
    Effect.map(Effect.timeoutOption(next, beatEvery), (heard) => {
      if (Option.isNone(heard)) return [[beat], Option.some(null)] as const
      return Option.match(heard.value, {
        onNone: () => [[], Option.none<null>()] as const,
        onSome: (news) => [show(news), Option.some(null)] as const
      })
    })
  )

/** How long a browser waits before it reconnects. */
const retry: EventText = "retry: 2000\n\n"

/** The answer, which lasts as long as its events. */
export const eventStream = Effect.fnUntraced(function* (events: Stream.Stream<EventText>) {
  const { share } = yield* CurrentCall
  const pieces = Stream.mapArray(Stream.concat(Stream.succeed(retry), events), (texts) =>
    Arr.of(utf8.encode(texts.join("")))
  )
  return yield* share.stream(pieces, {
    contentType: "text/event-stream",
    // Some proxies buffer an answer until it is complete.
    headers: { "x-accel-buffering": "no" }
  })
})

/** The answer to those who were told everything: a browser does not reconnect after it. */
export const noEvents = HttpServerResponse.empty({ status: 204 })

/** Whether the caller asks for events where there is JSON as well. */
export const prefersEvents = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  prefers(headers, eventForm)
)
