/** Every request is answered in time, unless the process it was sent to was killed, or held still, meanwhile. */
import { isWhole } from "../Extent.ts"
import type { Fault, Rule } from "./Fault.ts"
import { type Absence, allOf, type Requested } from "./History.ts"

/** Longest time to an answer: the deadline of a statement twice, and what a machine takes that others use too. */
export const answerMillisMax = isWhole ? 12_000 : 30_000

/** A service that cannot answer says 503 and when to try again, and nothing else of that kind. */
const isWrong = ({ outcome, retryAfter }: Requested): boolean =>
  typeof outcome === "number" && outcome >= 500 && (outcome !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? ""))

export const notAnsweredInTime: Rule = (history) => {
  const absences = Map.groupBy(allOf(history, "absence"), ({ life }) => life)
  return allOf(history, "requested").flatMap((request): ReadonlyArray<Fault> => {
    const { at, call, error, outcome, sentAt } = request
    if (isWrong(request)) return [{ kind: "answered wrongly", what: `${call} with ${outcome}: ${error}` }]
    const excuses = absences.get(request.life) ?? []
    if (isExcused(request, excuses)) return []
    if (typeof outcome === "string" || at - sentAt - request.wait > answerMillisMax) {
      const how = `${outcome} after ${Math.round(at - sentAt)} ms, sent at ${Math.round(sentAt)}`
      return [{ kind: "not answered in time", what: `${call}: ${how}` }]
    }
    return []
  })
}

const isExcused = (request: Requested, absences: ReadonlyArray<Absence>): boolean =>
  absences.some(({ from, how, until }) =>
    how === "killed"
      ? from <= request.at
      : from <= request.at && request.at - Math.max(request.sentAt, until) <= answerMillisMax
  )
