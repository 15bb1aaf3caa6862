/** What a failing simulation tells: the shortest form that still fails, and what happened to whom it concerns. */
import { type FaultRates, noFaults } from "./Faults.ts"
import { type Entry, lineOf, timeOf } from "./History.ts"
import { type Verdict, type Scale, simulate } from "./Simulation.ts"

const linesMax = 20

const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** Until the breach: the latest lines about what it names, and, if there are few, about what went wrong meanwhile. */
export const storyOf = ({ breaches: [breach = ""], entries }: Verdict): ReadonlyArray<string> => {
  const named = breach.match(id) ?? []
  const last = entries.findLastIndex((entry) => breach.endsWith(`at ${timeOf(entry)}`))
  const until = last < 0 ? entries : entries.slice(0, last + 1)
  const isConcerned = (entry: Entry) => named.some((each) => lineOf(entry).includes(each))
  const concerned = until.filter(isConcerned)
  const isMeanwhile = ({ elapsed, what }: Entry) =>
    what === "calm" || (what === "fault" && elapsed >= (concerned[0]?.elapsed ?? 0))
  const story =
    concerned.length < linesMax ? until.filter((each) => isConcerned(each) || isMeanwhile(each)) : concerned
  return [breach, ...story.slice(-linesMax).map(lineOf)]
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
