/** Counts those who follow something in this process, and refuses more than there may be. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Draining } from "./Draining.ts"
import { makeKeyEnd } from "./KeyEnd.ts"
import type { WaitingKey } from "./LongPoll.ts"

const FollowersOf = Schema.Literals(["session", "account", "process"])

/** How many may follow at once, in each process: by one key or session, of one account, and in all. */
export type FollowersMax = { readonly [Of in typeof FollowersOf.Type]: number }

/** The session, the account, or this process has reached its limit of followers. */
export class TooManyFollowers extends Schema.TaggedError<TooManyFollowers>()("TooManyFollowers", {
  scope: FollowersOf,
  limit: Schema.Int
}) {
  override get message() {
    return `At most ${this.limit} may follow by this ${this.scope} at once: close one and try again`
  }
}

/** Answers how to join: from then on until its scope ends, a follower counts. */
export const makeFollowers = Effect.fnUntraced(function* (max: FollowersMax) {
  const draining = yield* Draining
  const keyEnd = yield* makeKeyEnd
  const counts = new Map<string, number>()
  const countOf = (counter: string) => counts.get(counter) ?? 0

  const count = (counters: ReadonlyArray<string>, more: number) => {
    for (const counter of counters) {
      const total = countOf(counter) + more
      if (total === 0) counts.delete(counter)
      else counts.set(counter, total)
    }
  }

  /** Opened when nothing more is told: the service stops, or the key is no longer valid. Null: a key without an end. */
  return Effect.fnUntraced(function* ({
    account,
    key
  }: {
    readonly account: string
    readonly key: WaitingKey<unknown> | null
  }) {
    const named = { session: key?.id, account, process: "this" }
    const scopes = Struct.keys(max).filter((scope) => named[scope] !== undefined)
    const counterOf = (scope: keyof FollowersMax) => `${scope} ${named[scope]}`
    const counters = scopes.map(counterOf)
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        const full = scopes.find((scope) => countOf(counterOf(scope)) >= max[scope])
        return full === undefined
          ? Effect.sync(() => count(counters, 1))
          : Effect.fail(new TooManyFollowers({ scope: full, limit: max[full] }))
      }),
      () => Effect.sync(() => count(counters, -1))
    )
    const isOver = yield* Deferred.make<void>()
    yield* Effect.raceFirst(draining.begun, keyEnd(key)).pipe(
      Effect.andThen(Deferred.succeed(isOver, undefined)),
      Effect.forkScoped
    )
    return isOver
  })
})
