/** Which schemas are compiled on the event loop: those that surely take only some milliseconds. */

/** In UTF-16 code units of their JSON. */
const lengthMax = 8_192

/** Each schema is an object. */
const objectsMax = 64

/** How often a pattern may repeat its parts: each repetition is compiled separately. */
const repeatsMax = 500

const objects = /\{["}]/g
const repeats = /(\)?)\{(\d+)(?:,(\d*))?\}/g

/** How large counted repetition makes the patterns: repeated groups multiply their content. */
const repeatsOf = (text: string): number => {
  let inGroups = 1
  let sum = 0
  for (const [, group, least, most] of text.matchAll(repeats)) {
    const times = Math.max(1, Number(least), Number(most ?? 0))
    sum += times
    if (group === ")") inGroups *= times
  }
  return sum * inGroups
}

/**
 * Whether the schema with this JSON is small. May take a small one for large, but
 * never a large one for small.
 */
export const isSmall = (text: string): boolean =>
  text.length <= lengthMax &&
  (text.match(objects)?.length ?? 0) <= objectsMax &&
  repeatsOf(text) <= repeatsMax
