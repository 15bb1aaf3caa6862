/** Following an account in tests: what one hears of it. */
import { assert } from "@effect/vitest"
import type { AccountId } from "@runhook/core/shared/Ids"
import type { News } from "@runhook/core/accounts/ChangeRing"
import { Changes, type Following } from "@runhook/core/accounts/Changes"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"

/** Follows an account, from a position on. */
export const follow = (accountId: AccountId, after: string | null = null) =>
  Changes.use((changes) => changes.follow({ accountId, after, key: null }))

/** What is told next: kind, state, and whether it is new. Fails a test in which nothing was told. */
export const heardBy = Effect.fnUntraced(function* ({ next }: Following) {
  const fiber = yield* Effect.forkChild(next, { startImmediately: true })
  yield* TestClock.adjust("1 second")
  assert.isDefined(fiber.pollUnsafe(), "nothing was told")
  const told = yield* Fiber.join(fiber)
  return Option.match(told, {
    onNone: () => ({ words: ["over"], position: "" }),
    onSome: ({ news, position }) => ({ words: news.map(wordsOf), position })
  })
})

const wordsOf = (news: News): string => {
  if (news._tag === "Reset") return "reset"
  if (news._tag === "Many") return `many ${news.kinds.join(" ")}`
  const { kind, thing } = news.change
  return `${kind} ${thing.state}${thing.isNew ? " new" : ""}`
}

/** What is told of something that is done. */
export const toldOf = Effect.fnUntraced(function* <A, E, R>(
  accountId: AccountId,
  done: Effect.Effect<A, E, R>
) {
  const following = yield* follow(accountId)
  const result = yield* done
  const { words } = yield* heardBy(following)
  return { result, words }
}, Effect.scoped)
