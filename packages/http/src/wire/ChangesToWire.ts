/** The changes of an account, as the events that its followers get. */
import type { ChangeEvent } from "@runhook/contract/wire/ChangeWire"
import type { AccountId } from "@runhook/core/domain/Ids"
import type { News, Told } from "@runhook/core/runtime/ChangeRing"
import type { Following } from "@runhook/core/usecases/Changes"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { beat, type EventText, eventText } from "../documents/EventStream.ts"

/**
 * A proxy closes connections that are silent for a minute; a follower that hears
 * nothing for longer than this may reconnect.
 */
const beatEvery = "15 seconds"

export const eventsOf = (
  { isResumed, next, position }: Following,
  { accountId, requestId }: { readonly accountId: AccountId; readonly requestId: string }
): Stream.Stream<EventText> => {
  const hello: ChangeEvent = {
    event: "hello",
    id: position,
    data: { account_id: accountId, is_resumed: isResumed, request_id: requestId }
  }
  const onwards = Stream.paginate(null, () =>
    Effect.map(Effect.timeoutOption(next, beatEvery), (heard) => {
      if (Option.isNone(heard)) return [[beat], Option.some(null)] as const
      return Option.match(heard.value, {
        onNone: () => [[], Option.none<null>()] as const,
        onSome: (told) => [textsOf(told), Option.some(null)] as const
      })
    })
  )
  return Stream.concat(Stream.succeed(eventText(hello)), onwards)
}

/** Only the last has an id: a follower that breaks off before it gets them all again. */
const textsOf = ({ news, position }: Told): ReadonlyArray<EventText> =>
  news.map((each, index) =>
    eventText({ ...eventOf(each), ...(index === news.length - 1 ? { id: position } : {}) })
  )

const eventOf = (news: News): ChangeEvent => {
  switch (news._tag) {
    case "Changed": {
      const { kind, thing } = news.change
      return { event: "change", data: { kind, id: thing.id, state: thing.state, is_new: thing.isNew } }
    }
    case "Many":
      return { event: "many", data: { kinds: news.kinds } }
    case "Reset":
      return { event: "reset", data: {} }
  }
}
