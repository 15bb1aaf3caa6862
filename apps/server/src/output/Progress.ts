/** How far long work is, on one line of a terminal that is written again and again. */
import * as Effect from "effect/Effect"

export interface Progress {
  readonly done: number
  /** Null if that is not known. */
  readonly total: number | null
  /** What is counted, where it changes. */
  readonly what?: string
}

const cells = 30

/** Such as `[===============               ] 50/100`. */
export const barOf = ({ done, total, what = "" }: Progress): string => {
  if (total === null) return what === "" ? `${done} done` : `${done} ${what}`
  const filled = total === 0 ? cells : Math.min(cells, Math.floor((cells * done) / total))
  return `[${"=".repeat(filled).padEnd(cells)}] ${done}/${total} ${what}`.trimEnd()
}

const write = (text: string) =>
  Effect.sync(() => {
    // Not on the output, which may be read by a program.
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`)
  })

/** Work that draws how far it is. The line is gone when it ends. */
export const drawing = <A, E, R>(
  work: (draw: (progress: Progress) => Effect.Effect<void>) => Effect.Effect<A, E, R>
) =>
  Effect.ensuring(
    work((progress) => write(barOf(progress))),
    write("")
  )
