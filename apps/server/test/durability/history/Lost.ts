/** What was acknowledged is there at the end: executions, their ends, their callbacks, files and answers. */
import type { Fault, Rule } from "./Fault.ts"
import { allOf, eventOf, type Final, isTerminal } from "./History.ts"

export const lost: Rule = (history) => {
  const finals = new Map(allOf(history, "final").map((final) => [final.executionId, final]))
  const arrived = new Set(allOf(history, "receipt").map(({ executionId, type }) => executionId + type))
  const fetched = new Set(allOf(history, "fetched").map(({ fileId }) => fileId))
  const acknowledged = new Set(allOf(history, "created").map(({ executionId }) => executionId))

  const ofExecution = (executionId: string): ReadonlyArray<string> => {
    const final = finals.get(executionId)
    if (final === undefined) return ["it is not there"]
    if (!isTerminal(final.status)) return [`it never ended, and is ${final.status}`]
    return owed(final)
      .filter((type) => !arrived.has(executionId + type))
      .map((type) => `no ${type} arrived`)
  }
  const faultOf = (executionId: string, what: string): Fault => ({ kind: "lost", executionId, what })
  return [
    ...[...acknowledged].flatMap((id) => ofExecution(id).map((what) => faultOf(id, what))),
    ...allOf(history, "stored")
      .filter(({ fileId }) => !fetched.has(fileId))
      .map(({ executionId, fileId }) => faultOf(executionId, `file ${fileId} cannot be downloaded`)),
    ...allOf(history, "answered")
      .filter(({ executionId, value }) => !tells(finals.get(executionId), value))
      .map(({ executionId, value }) => faultOf(executionId, `the answer ${value} did not reach the work`))
  ]
}

/** The callbacks that an execution which ended like this owes. */
export const owed = ({ hasStarted, status }: Final): ReadonlyArray<string> => [
  eventOf("queued"),
  ...(hasStarted ? [eventOf("running")] : []),
  eventOf(status)
]

/** Work that was answered and completed says with what. */
const tells = (final: Final | undefined, value: string): boolean =>
  final?.status !== "completed" || final.result.includes(value)
