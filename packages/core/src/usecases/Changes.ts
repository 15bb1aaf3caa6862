/**
 * Tells those who watch an account what changes in it. Signals are hints, and
 * so is this: whoever is told fetches what it shows. It costs no write, and no
 * query but those that open it; a process keeps the latest changes only of
 * accounts that somebody watches there.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RcMap from "effect/RcMap"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { ChangeRing, type Told } from "../runtime/ChangeRing.ts"
import type { AccountId } from "../domain/Ids.ts"
import { Draining } from "../runtime/Draining.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import { Signals } from "../ports/Signals.ts"
import type { WaitingKey } from "../runtime/LongPoll.ts"

/** Who may follow the changes of accounts at once, in each process. */
export const followersMax = { account: 100, process: 1_000 }

/** The account, or this process, has as many followers as it may. */
export class TooManyFollowers extends Schema.TaggedError<TooManyFollowers>()("TooManyFollowers", {
  scope: Schema.Literals(["account", "process"]),
  limit: Schema.Int
}) {
  override get message() {
    return `At most ${this.limit} may follow the changes of this ${this.scope} at once: close one and try again`
  }
}

/** After news, more gathers for that long. */
const gathering = Duration.millis(200)

/** How long the changes of an account are kept that nobody follows any more, for who comes back. */
const keptFor = Duration.minutes(2)

/** A key that was changed is looked at again after that long: what is remembered of it may be older than its change. */
const keyLookEvery = Duration.seconds(5)

export interface Following {
  /** Where it begins. */
  readonly position: string
  /** Whether it goes on from where its caller had come to. */
  readonly isResumed: boolean
  /** Waits for news. None when it is over: the service stops, or the key opens nothing any more. */
  readonly next: Effect.Effect<Option.Option<Told>>
}

interface Follow {
  readonly accountId: AccountId
  /** What it was told last; null: from now on. */
  readonly after: string | null
  /** The key that the caller came with; null: one without an end. */
  readonly key: WaitingKey<unknown> | null
}

export class Changes extends Context.Service<
  Changes,
  {
    /** Follows the changes of an account until the scope ends. */
    follow(options: Follow): Effect.Effect<Following, AccountNotFound | TooManyFollowers, Scope.Scope>
  }
>()("@runhook/core/usecases/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const draining = yield* Draining
      const random = yield* SecureRandom
      const signals = yield* Signals
      const followers = new Followers()

      const rings = yield* RcMap.make({
        lookup: Effect.fnUntraced(function* (accountId: AccountId) {
          const ring = new ChangeRing((yield* random.uuidV7()).replaceAll("-", ""))
          yield* signals.watch(accountId, (heard) =>
            heard === "changes_lost" ? ring.lose() : ring.add(heard)
          )
          return ring
        }),
        idleTimeToLive: keptFor
      })

      /** How long the key opens what it does: for ever, unless it says otherwise. None once it opens nothing any more. */
      const openFor = (key: WaitingKey<unknown>) =>
        Effect.matchCauseEffect(key.opensUntil, {
          onFailure: (cause) =>
            // A store that is away says nothing of the key.
            Effect.succeed(Cause.hasFails(cause) ? Option.none() : Option.some(keyLookEvery)),
          onSuccess: (end) =>
            Effect.map(DateTime.now, (at) =>
              Option.some(end === null ? Duration.infinity : DateTime.distance(at, end))
            )
        })

      /** Ends when the key opens nothing any more. It is looked at when it was changed, and when it would end by itself. */
      const closed = Effect.fnUntraced(function* (key: WaitingKey<unknown>) {
        const woken = yield* signals.subscribe([`key:${key.id}`])
        let longest = Duration.infinity
        while (true) {
          const open = yield* openFor(key)
          if (Option.isNone(open)) return
          const wait = Duration.max(Duration.min(open.value, longest), Duration.seconds(1))
          const heard: Option.Option<void> = yield* Duration.isFinite(wait)
            ? Effect.timeoutOption(woken, wait)
            : Effect.asSome(woken)
          longest = Option.isSome(heard) ? keyLookEvery : Duration.infinity
        }
      }, Effect.scoped)

      return Changes.of({
        follow: Effect.fnUntraced(function* ({ accountId, after, key }) {
          yield* accounts.get(accountId)
          yield* followers.join(accountId)
          const ring = yield* RcMap.get(rings, accountId)
          const isOver = yield* Deferred.make<void>()
          yield* Effect.raceFirst(draining.begun, key === null ? Effect.never : closed(key)).pipe(
            Effect.andThen(Deferred.succeed(isOver, undefined)),
            Effect.forkScoped
          )

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
              // Who is woken runs at once, and several changes may be told at a time.
              yield* Effect.yieldNow
            }
          })
          return { position: isResumed ? position : ring.position, isResumed, next }
        })
      })
    })
  )
}

/** How many follow, in all and of each account. */
class Followers {
  readonly #of = new Map<AccountId, number>()
  #inAll = 0

  /** Counts one more until the scope ends. */
  join(accountId: AccountId): Effect.Effect<void, TooManyFollowers, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.suspend(() => {
        if ((this.#of.get(accountId) ?? 0) >= followersMax.account) return refused("account")
        if (this.#inAll >= followersMax.process) return refused("process")
        return Effect.sync(() => this.#count(accountId, 1))
      }),
      () => Effect.sync(() => this.#count(accountId, -1))
    )
  }

  #count(accountId: AccountId, more: number): void {
    const count = (this.#of.get(accountId) ?? 0) + more
    if (count === 0) this.#of.delete(accountId)
    else this.#of.set(accountId, count)
    this.#inAll += more
  }
}

const refused = (scope: keyof typeof followersMax) =>
  Effect.fail(new TooManyFollowers({ scope, limit: followersMax[scope] }))
