/** Counts those who follow something in this process, and refuses more than there may be. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"

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

/** How many follow, by whom they count for. */
export class Followers {
  readonly #max: FollowersMax
  readonly #counts = new Map<string, number>()

  constructor(max: FollowersMax) {
    this.#max = max
  }

  /** Counts one more until the scope ends. */
  join(of: {
    readonly session: string | undefined
    readonly account: string
  }): Effect.Effect<void, TooManyFollowers, Scope.Scope> {
    const named = { ...of, process: "this" }
    const counted = Struct.keys(this.#max).flatMap((scope) =>
      named[scope] === undefined ? [] : [{ scope, counter: `${scope} ${named[scope]}` }]
    )
    const count = (more: number) => {
      for (const { counter } of counted) {
        const total = this.#countOf(counter) + more
        if (total === 0) this.#counts.delete(counter)
        else this.#counts.set(counter, total)
      }
    }
    return Effect.acquireRelease(
      Effect.suspend(() => {
        const full = counted.find(({ counter, scope }) => this.#countOf(counter) >= this.#max[scope])
        return full === undefined
          ? Effect.sync(() => count(1))
          : Effect.fail(new TooManyFollowers({ scope: full.scope, limit: this.#max[full.scope] }))
      }),
      () => Effect.sync(() => count(-1))
    )
  }

  #countOf(counter: string): number {
    return this.#counts.get(counter) ?? 0
  }
}
