/** Notices when npm, which has started this process, was killed: a server that nobody sees would keep its port. */
import { readFileSync } from "node:fs"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { isUnderNpm } from "../config.ts"

/** Waits until npm has gone, if it started this process. */
export const parentGone: Effect.Effect<Effect.Effect<void>> = Effect.gen(function* () {
  if (!(yield* Effect.orDie(isUnderNpm))) return Effect.never
  const [parent, above] = [process.ppid, aboveShell(process.ppid)]
  return Effect.sync(() => process.ppid !== parent || aboveShell(parent) !== above).pipe(
    Effect.repeat({ until: (hasGone) => hasGone, schedule: Schedule.spaced(Duration.seconds(1)) }),
    Effect.asVoid
  )
})

/**
 * The parent of a shell; null for any other process. `npx` runs commands in a
 * shell, which stays when npm is killed. Where there is no `/proc`, that shell
 * hands its process over to the command.
 */
const aboveShell = (pid: number): number | null => {
  const [, parent] = /\((?:ba|da|k|z)?sh\) \S (\d+)/.exec(readIfThere(`/proc/${pid}/stat`)) ?? []
  return parent === undefined ? null : Number(parent)
}

const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
