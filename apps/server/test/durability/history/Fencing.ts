/** A runner whose work was given to another changes nothing of it. */
import type { Rule } from "./Fault.ts"
import { allOf, byExecution } from "./History.ts"

export const staleWrites: Rule = (history) => {
  const claims = byExecution(allOf(history, "claimed"))
  return allOf(history, "written").flatMap(({ accepted, epoch, executionId, sentAt, verb }) => {
    const later = claims.get(executionId)?.find((claim) => claim.epoch > epoch && claim.at <= sentAt)
    if (!accepted || later === undefined) return []
    const what = `${verb} under epoch ${epoch} was accepted, after ${later.epoch} had been given out`
    return [{ kind: "stale write accepted", executionId, what }]
  })
}
