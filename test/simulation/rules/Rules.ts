/** What must hold in every history. */
import { deliveredOnceAtLeast, inOrder, isolation, statusesAnnounced } from "./CallbackRules.ts"
import { acknowledged, createsOnce, fencing, lifecycle, liveness, schedules } from "./ExecutionRules.ts"
import { kept, prolonged } from "./LeaseRules.ts"
import { capacities, seats } from "./PlaceRules.ts"
import type { Transcript, Rule } from "./Transcript.ts"

const rules: Readonly<Record<string, Rule>> = {
  "an acknowledged create exists, once": createsOnce,
  "statuses go by the table, and an end stays": lifecycle,
  "a stale epoch changes nothing": fencing,
  "a runner is told what its own epoch has done": acknowledged,
  "a holder keeps its lease to its end": kept,
  "a lease is prolonged by its holder alone": prolonged,
  "an agent has no more at work than its capacity": capacities,
  "a key has no more at work than its limit": seats,
  "each status is told once": statusesAnnounced,
  "events arrive at least once, in equal bytes": deliveredOnceAtLeast,
  "events of an execution are in order": inOrder,
  "nothing reaches another account": isolation,
  "a schedule fires each due time once": schedules,
  "everything ends when faults stop": liveness
}

/** What does not hold, with the rule that says so. */
export const breachesOf = (transcript: Transcript): ReadonlyArray<string> =>
  Object.entries(rules).flatMap(([name, rule]) => [...rule(transcript)].map((breach) => `${name}: ${breach}`))
