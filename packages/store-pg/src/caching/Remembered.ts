/** Answers of the database that are asked for with every request, kept for a moment. */
import * as Cache from "effect/Cache"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Hash from "effect/Hash"

/**
 * How long what another process changed may go unseen here. What this process
 * changes itself is seen at once.
 */
export const rememberedFor = Duration.seconds(2)

/** Answers kept of each kind; past that the oldest are forgotten. */
const answersMax = 10_000

export interface Remembered<Asked, A, E> {
  /** The answer, remembered or new. */
  get(asked: Asked): Effect.Effect<A, E>
  readonly forget: Effect.Effect<void>
}

/** A question known by its text: comparing what was asked part by part takes longer than all else about an answer. */
class Question<Asked> implements Equal.Equal {
  readonly asked: Asked
  readonly text: string
  readonly hash: number

  constructor(asked: Asked) {
    this.asked = asked
    this.text = JSON.stringify(asked)
    this.hash = Hash.string(this.text)
  }
  [Equal.symbol](that: unknown): boolean {
    return that instanceof Question && that.text === this.text
  }
  [Hash.symbol](): number {
    return this.hash
  }
}

/** Remembers what is found. That there is no such thing is asked anew each time. */
export const remember = <Asked, A, E>(
  lookup: (asked: Asked) => Effect.Effect<A, E>
): Effect.Effect<Remembered<Asked, A, E>> =>
  keep(lookup, (exit) => Exit.isSuccess(exit) && exit.value !== undefined)

/** Remembers every answer, also that there is no such thing. Making the thing must make it forget. */
export const rememberAll = <Asked, A, E>(
  lookup: (asked: Asked) => Effect.Effect<A, E>
): Effect.Effect<Remembered<Asked, A, E>> => keep(lookup, Exit.isSuccess)

const keep = <Asked, A, E>(
  lookup: (asked: Asked) => Effect.Effect<A, E>,
  isKept: (exit: Exit.Exit<A, E>) => boolean
): Effect.Effect<Remembered<Asked, A, E>> =>
  Effect.map(
    Cache.makeWith(({ asked }: Question<Asked>) => lookup(asked), {
      capacity: answersMax,
      timeToLive: (exit) => (isKept(exit) ? rememberedFor : Duration.zero)
    }),
    (answers) => ({
      get: (asked) => Cache.get(answers, new Question(asked)),
      forget: Cache.invalidateAll(answers)
    })
  )
