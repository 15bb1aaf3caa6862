/** Chance that repeats itself: the same seed, the same order of kills. */
export interface Chance {
  /** A number from 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  /** One of several. */
  of<A>(choices: readonly [A, ...Array<A>]): A
}

/** The generator known as mulberry32. */
export const chanceOf = (seed: number): Chance => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return { next, between, of: (choices) => choices[between(0, choices.length - 1)] ?? choices[0] }
}
