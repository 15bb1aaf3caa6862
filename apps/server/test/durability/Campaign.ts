/** One strike after the other happens to a service, each under a load of its own, whose history is judged. */
import { setTimeout as pause } from "node:timers/promises"
import { isWhole, seed, tries } from "./Extent.ts"
import type { Strike } from "./faults/Strike.ts"
import { judge } from "./history/Checker.ts"
import type { Fault } from "./history/Fault.ts"
import type { Absence, History, Struck } from "./history/History.ts"
import { recoveryOf, type Recovery } from "./history/Recovery.ts"
import type { Service } from "./load/Calls.ts"
import { beginLoad, type Load } from "./load/Load.ts"

export interface Verdict {
  readonly name: string
  readonly tries: number
  readonly history: History
  readonly faults: ReadonlyArray<Fault>
  readonly recovery: Recovery
}

export interface CampaignOptions<Parts> {
  readonly service: Service
  readonly adminKey: string
  readonly parts: Parts
  readonly strikes: ReadonlyArray<Strike<Parts>>
  /** What was done to processes, which excuses them. */
  readonly absences: ReadonlyArray<Absence>
  /** Makes a directory for one receiver. */
  readonly directory: () => Promise<string>
  /** Gets each verdict as soon as it is known. */
  readonly tell: (verdict: Verdict) => void
}

export const campaign = async <Parts>(options: CampaignOptions<Parts>): Promise<ReadonlyArray<Verdict>> => {
  const { absences, adminKey, directory, parts, service, strikes, tell } = options
  await using loads = new AsyncDisposableStack()
  /** Of all of them: a load that settles lives through what happens to the next. */
  const struck: Array<Struck> = []
  const verdicts: Array<Promise<Verdict>> = []
  for (const strike of strikes) {
    const load = loads.use(await beginLoad({ service, adminKey, directory: await directory(), seed }))
    // Its lease ends while the others go on.
    if (isWhole || verdicts.length === 0) await load.crashOne()
    let overAt = 0
    for (let round = 0; round < tries; round++) {
      await moreAcknowledged(load)
      await noted(struck, load.now, () => strike.happen(parts, load))
      overAt = load.now()
    }
    await moreAcknowledged(load)
    await load.calmDown()
    const settled = load.settle()
    const verdict = settled.then((seen) => {
      const judged = verdictOf(strike.name, [...seen, ...absences, ...struck], overAt)
      tell(judged)
      return judged
    })
    // A failure is reported when all are awaited.
    verdict.catch(() => undefined)
    verdicts.push(verdict)
    if (isWhole) await verdict
  }
  // Before the receivers go.
  return await Promise.all(verdicts)
}

/** Notes what happens from its beginning: loads of earlier strikes may be judged before it is over. */
export const noted = async (
  struck: Array<Struck>,
  now: () => number,
  happen: () => Promise<void>
): Promise<void> => {
  const from = now()
  const place = struck.push({ is: "struck", from, until: Number.POSITIVE_INFINITY }) - 1
  await happen()
  struck[place] = { is: "struck", from, until: now() }
}

/** So many creates are a load: what comes before and after a strike. */
const enough = isWhole ? 12 : 8

export const moreAcknowledged = async (load: Load): Promise<void> => {
  const before = load.acknowledged()
  for (let looks = 0; looks < 1_200 && load.acknowledged() < before + enough; looks++) await pause(50)
}

const verdictOf = (name: string, history: History, overAt: number): Verdict => ({
  name,
  tries,
  history,
  faults: judge(history),
  recovery: recoveryOf(history, overAt)
})
