/** The difference of two schemas, by lines of their text. */
import type { Json } from "@runhook/core/shared/json/Json"

export interface DiffLine {
  readonly kind: "same" | "gone" | "new"
  readonly text: string
}

/** Longest schema, in lines, that is compared line by line. Of a longer one, all that follows the first change counts as changed. */
const linesMax = 1_500

export const diffOf = (before: Json, after: Json): ReadonlyArray<DiffLine> => {
  const [old, young] = [linesOf(before), linesOf(after)]
  const isShort = Math.max(old.length, young.length) <= linesMax
  const common = isShort ? commonOf(old, young) : () => 0
  const lines: Array<DiffLine> = []
  let [left, right] = [0, 0]
  while (left < old.length || right < young.length) {
    const [one, other] = [old[left], young[right]]
    const isGone = one !== undefined && common(left + 1, right) >= common(left, right + 1)
    const kind = one === other ? "same" : other === undefined || isGone ? "gone" : "new"
    lines.push({ kind, text: (kind === "new" ? other : one) ?? "" })
    if (kind !== "new") left += 1
    if (kind !== "gone") right += 1
  }
  return lines
}

/** Context lines around a change. */
const around = 3

/** The changes with their context; null stands for omitted lines. */
export const folded = (lines: ReadonlyArray<DiffLine>): ReadonlyArray<DiffLine | null> => {
  const isNear = (place: number) =>
    lines.slice(Math.max(0, place - around), place + around + 1).some(({ kind }) => kind !== "same")
  return lines.flatMap((each, place) => {
    if (isNear(place)) return [each]
    return place > 0 && !isNear(place - 1) ? [] : [null]
  })
}

const linesOf = (schema: Json): ReadonlyArray<string> => JSON.stringify(schema, null, 2).split("\n")

/** For two positions, the length of the longest common subsequence of the remaining lines. */
const commonOf = (old: ReadonlyArray<string>, young: ReadonlyArray<string>) => {
  const width = young.length + 1
  const counts = new Uint16Array((old.length + 1) * width)
  const at = (left: number, right: number): number => counts[left * width + right] ?? 0
  for (let left = old.length - 1; left >= 0; left--)
    for (let right = young.length - 1; right >= 0; right--)
      counts[left * width + right] =
        old[left] === young[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1))
  return at
}
