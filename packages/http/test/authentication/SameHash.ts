/**
 * Texts with the same `Hash` as another: from both ends towards the middle, as
 * whoever attacks makes them, in some milliseconds each.
 */

const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
const codes = alphabet.map((letter) => letter.charCodeAt(0))

/** One step of the hash, which begins with the last letter. */
const step = (hash: number, code: number): number => Math.imul(hash, 33) ^ code

/** What 33 is divided by, among whole numbers of 32 bits. */
const inverse = 0x3e0f83e1

/** What the hash was before the step. */
const before = (hash: number, code: number): number => Math.imul(hash ^ code, inverse)

const hashOf = (text: string): number => {
  let hash = 5381
  for (let place = text.length - 1; place >= 0; place--) hash = step(hash, text.charCodeAt(place))
  return hash
}

export const sameHash = (text: string, count: number): ReadonlyArray<string> => {
  const heads = new Map<number, string>()
  const target = hashOf(text)
  codes.forEach((a, first) => {
    const one = before(target, a)
    codes.forEach((b, second) => {
      const two = before(one, b)
      codes.forEach((c, third) => {
        heads.set(before(two, c), `${alphabet[first]}${alphabet[second]}${alphabet[third]}`)
      })
    })
  })
  const found: Array<string> = []
  for (let number = 0; found.length < count; number++) {
    const tail = `_${number}`
    const head = heads.get(hashOf(tail))
    if (head !== undefined) found.push(head + tail)
  }
  return found
}
