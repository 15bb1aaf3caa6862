/** Judges a history. It knows nothing of the service but what was seen of it. */
import { differentBytes, forgeries } from "./Bytes.ts"
import { contradictions } from "./Contradictions.ts"
import { doubled } from "./Doubled.ts"
import type { Fault, Rule } from "./Fault.ts"
import { staleWrites } from "./Fencing.ts"
import type { History } from "./History.ts"
import { lost } from "./Lost.ts"
import { outOfOrder } from "./Order.ts"
import { needlessRepeats } from "./Repeats.ts"
import { notAnsweredInTime } from "./Timeliness.ts"

const rules: ReadonlyArray<Rule> = [
  lost,
  doubled,
  outOfOrder,
  staleWrites,
  contradictions,
  differentBytes,
  forgeries,
  needlessRepeats,
  notAnsweredInTime
]

export const judge = (history: History): ReadonlyArray<Fault> => rules.flatMap((rule) => rule(history))
