/** Everything that a simulation leaves to chance: the same seed decides the same. */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

export class Chance {
  readonly random: Random.Random

  constructor(seed: string) {
    this.random = Effect.runSync(Random.Random.pipe(Random.withSeed(seed)))
  }

  happens(probability: number): boolean {
    return this.random.nextDoubleUnsafe() < probability
  }

  /** A whole number, both bounds included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.random.nextDoubleUnsafe() * (most - least + 1))
  }

  pick<Item>(items: readonly [Item, ...ReadonlyArray<Item>]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0]
  }

  readonly bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => this.between(0, 255))
}
