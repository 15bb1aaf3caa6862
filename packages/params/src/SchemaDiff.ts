/** The difference of two schemas, by lines of their text. */
import type { Json } from "@runhook/core/domain/json/Json"

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
      (other === undefined || common(left + 1, right) >= common(left, right + 1))
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
