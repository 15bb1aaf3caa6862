/** Logs as streams of items, as they grow. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { lookMs } from "../call/Retry.ts"
import { isFinished } from "../requests/Finished.ts"
import { type Follow, type Numbered, seenFrom, seenIn } from "../requests/Follow.ts"
import type { RunhookError } from "./Errors.ts"
import type { Send } from "./Send.ts"
import type { CallOptions } from "./Settings.ts"

/** The items, until the last. The options hold for each request; without limits of theirs, it is repeated until it is answered. */
export const follow = <Item extends Numbered>(
  following: Follow<Item, CallOptions>,
  send: Send
): Stream.Stream<Item, RunhookError> => {
  const { look, owner } = following
  const options = { retries: Infinity, timeout: Infinity, ...look.options }
  return Stream.paginate(
    { after: seenFrom(following), isFinal: false },
    Effect.fnUntraced(function* ({ after, isFinal }) {
      const lookedAt = yield* Clock.currentTimeMillis
      const { data } = yield* send({ ...look, query: { ...look.query, after }, options })
      const { fresh, isOver, position } = seenIn(data, { ...following, position: after })
      if (isOver || (isFinal && data.length === 0)) return [fresh, Option.none()] as const
      if (data.length > 0) return [fresh, Option.some({ after: position, isFinal })] as const
      const isEnd = owner !== undefined && isFinished(yield* send({ ...owner, options }))
      if (!isEnd) {
        yield* Effect.sleep(Math.max(0, lookedAt + lookMs - (yield* Clock.currentTimeMillis)))
      }
      return [fresh, Option.some({ after: position, isFinal: isEnd })] as const
    })
  )
}
