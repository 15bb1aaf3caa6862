/** What a failing simulation tells: the shortest form that still fails, and what happened to whom it concerns. */
import { type FaultRates, noFaults } from "./Faults.ts"
import { type Entry, lineOf } from "./History.ts"
import { type Verdict, type Scale, simulate } from "./Simulation.ts"

const linesMax = 20

const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** The latest lines about what the first breach names, and about what went wrong meanwhile. */
export const storyOf = ({ breaches: [breach = ""], entries }: Verdict): ReadonlyArray<string> => {
  const named = breach.match(id) ?? []
  const lines = entries.map((entry) => ({ entry, line: lineOf(entry) }))
  const concerned = lines.filter(({ line }) => named.some((each) => line.includes(each)))
  const from = concerned[0]?.entry.elapsed ?? 0
  const isPart = ({ elapsed, what }: Entry) => (what === "fault" && elapsed >= from) || what === "calm"
  const told = lines.filter(
    (each) => concerned.includes(each) || (isPart(each.entry) && concerned.length < linesMax)
  )
  return [breach, ...told.slice(-linesMax).map(({ line }) => line)]
}

/** The rule that a breach is of. */
const ruleOf = (breach: string | undefined) => breach?.slice(0, breach.indexOf(":"))

/** Scales that are one step simpler. */
const simpler = (scale: Scale): ReadonlyArray<Scale> => [
  ...(["processes", "runners", "orders"] as const).flatMap((part) =>
    scale[part] > 1 ? [{ ...scale, [part]: Math.ceil(scale[part] / 2) }] : []
  ),
  ...Object.entries(scale.rates).flatMap(([name, rate]) => {
    const rates: FaultRates = { ...scale.rates, [name]: 0 }
    return rate === 0 ? [] : [{ ...scale, rates }]
  }),
  ...(Object.values(scale.rates).every((rate) => rate === 0) ? [] : [{ ...scale, rates: noFaults }])
]

/** The simplest scale found that breaks the same rule. */
export const shrink = (scale: Scale, outcome: Verdict, play = simulate): readonly [Scale, Verdict] => {
  const rule = ruleOf(outcome.breaches[0])
  for (const next of simpler(scale)) {
    const found = play(next)
    const first = found.breaches.findIndex((breach) => ruleOf(breach) === rule)
    if (first >= 0) return shrink(next, { ...found, breaches: found.breaches.slice(first) }, play)
  }
  return [scale, outcome]
}
