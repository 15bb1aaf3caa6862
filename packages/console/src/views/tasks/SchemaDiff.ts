/** The difference of two schemas, by lines of their text. */
import type { Json } from "@runhook/sdk/admin"

export interface DiffLine {
  readonly kind: "same" | "gone" | "new"
  readonly text: string
}

/** Longest schema, in lines, that is compared line by line. */
const linesMax = 1_500

export const diffOf = (before: Json, after: Json): ReadonlyArray<DiffLine> => {
  const [old, young] = [linesOf(before), linesOf(after)]
  if (old.length > linesMax || young.length > linesMax)
    return [...old.map((text) => line("gone", text)), ...young.map((text) => line("new", text))]
  const common = commonOf(old, young)
  const lines: Array<DiffLine> = []
  let [left, right] = [0, 0]
  while (left < old.length || right < young.length) {
    const [one, other] = [old[left], young[right]]
    if (one !== undefined && one === other) {
      lines.push(line("same", one))
      left += 1
      right += 1
    } else if (
      one !== undefined &&
      (other === undefined || at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      lines.push(line("gone", one))
      left += 1
    } else if (other !== undefined) {
      lines.push(line("new", other))
      right += 1
    }
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

const line = (kind: DiffLine["kind"], text: string): DiffLine => ({ kind, text })

const linesOf = (schema: Json): ReadonlyArray<string> => JSON.stringify(schema, null, 2).split("\n")

/** For each pair of positions, the length of the longest common subsequence of the remaining lines. */
const commonOf = (old: ReadonlyArray<string>, young: ReadonlyArray<string>) => {
  const counts = old.map(() => new Uint16Array(young.length + 1))
  counts.push(new Uint16Array(young.length + 1))
  for (let left = old.length - 1; left >= 0; left--) {
    const row = counts[left]
    if (row === undefined) continue
    for (let right = young.length - 1; right >= 0; right--) {
      row[right] =
        old[left] === young[right]
          ? at(counts, left + 1, right + 1) + 1
          : Math.max(at(counts, left + 1, right), at(counts, left, right + 1))
    }
  }
  return counts
}

const at = (counts: ReadonlyArray<Uint16Array>, left: number, right: number): number =>
  counts[left]?.[right] ?? 0
