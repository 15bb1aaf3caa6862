/** The changes of an account, as the events that its followers get. */
import type { ChangeEvent } from "@runhook/contract/accounts/ChangeWire"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { News, ToldChanges } from "@runhook/core/accounts/ChangeRing"
import type { Following } from "@runhook/core/accounts/Changes"
import * as Stream from "effect/Stream"
import { type EventText, eventText, textsOf } from "../documents/EventStream.ts"

export const eventsOf = (
  { isResumed, next, position }: Following,
  { accountId, requestId }: { readonly accountId: AccountId; readonly requestId: string }
): Stream.Stream<EventText> => {
  const hello: ChangeEvent = {
    event: "hello",
    id: position,
    data: { account_id: accountId, is_resumed: isResumed, request_id: requestId }
  }
  return Stream.concat(Stream.succeed(textOf(hello)), textsOf(next, changeTexts))
}

/** Only the last has an id: a follower that breaks off before it gets them all again. */
const changeTexts = ({ news, position }: ToldChanges): ReadonlyArray<EventText> =>
  news.map((each, index) =>
    textOf({ ...eventOf(each), ...(index === news.length - 1 ? { id: position } : {}) })
  )

const textOf = (event: ChangeEvent): EventText => eventText({ ...event, data: JSON.stringify(event.data) })

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
