/**
 * Passes the changes of an account on to those who follow it. Like signals, they
 * are hints: a follower fetches what it shows. Following costs no write, and no
 * query except to open. A process keeps the latest changes only of accounts that
 * are followed there.
 */
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RcMap from "effect/RcMap"
import type { AccountId } from "../shared/Ids.ts"
import { AccountStore } from "./AccountStore.ts"
import { Signals } from "../signals/Signals.ts"
import { ChangeRing, type ToldChanges } from "./ChangeRing.ts"
import { makeFollowers } from "../engine/Followers.ts"
import type { WaitingKey } from "../engine/LongPoll.ts"

/** How many may follow changes at once, in each process: by one key or session, of one account, and in all. */
export const followersMax = { session: 10, account: 100, process: 1_000 }

/** After a change, more may gather for this long. */
const gathering = Duration.millis(200)

/** How long the changes of an account are kept after its last follower left, in case one comes back. */
export const keptFor = Duration.minutes(2)

export interface Following {
  /** Where the stream begins. */
  readonly position: string
  /** Whether the stream continues from the caller's position. */
  readonly isResumed: boolean
  /** Waits for news. None at the end: the service stops, or the key is no longer valid. */
  readonly next: Effect.Effect<Option.Option<ToldChanges>>
}

interface Follow {
  readonly accountId: AccountId
  /** The last position that the caller saw; null: from now on. */
  readonly after: string | null
  /** The caller's key; null: one without an end. */
  readonly key: WaitingKey<unknown> | null
}

export class Changes extends Context.Service<Changes>()("@runhook/core/accounts/Changes", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const random = yield* SecureRandom
    const signals = yield* Signals
    const join = yield* makeFollowers(followersMax)

    const rings = yield* RcMap.make({
      lookup: Effect.fnUntraced(function* (accountId: AccountId) {
        const ring = new ChangeRing((yield* random.uuidV7()).replaceAll("-", ""))
        yield* signals.watch(accountId, (heard) => (heard === "changes_lost" ? ring.lose() : ring.add(heard)))
        return ring
      }),
      idleTimeToLive: keptFor
    })

    /** Follows the changes of an account until the scope ends. */
    const follow = Effect.fnUntraced(function* ({ accountId, after, key }: Follow) {
      yield* accounts.get(accountId)
      const isOver = yield* join({ account: accountId, key })
      const ring = yield* RcMap.get(rings, accountId)

      const isResumed = after !== null && ring.knows(after)
      let position = after ?? ring.position
      let hasTold = false
      const next = Effect.gen(function* () {
        if (hasTold) yield* Effect.sleep(gathering)
        hasTold = false
        while (true) {
          if (yield* Deferred.isDone(isOver)) return Option.none()
          const told = ring.since(position)
          if (told.news.length > 0) {
            position = told.position
            hasTold = true
            return Option.some(told)
          }
          ring.changed.closeUnsafe()
          yield* Effect.raceFirst(ring.changed.await, Deferred.await(isOver))
          // A woken follower runs at once, and several changes may come together.
          yield* Effect.yieldNow
        }
      })
      return { position: isResumed ? position : ring.position, isResumed, next }
    })

    return { follow }
  })
}) {
  static readonly layer = Layer.effect(Changes, Changes.make)
}
