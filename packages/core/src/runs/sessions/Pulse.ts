/** The answer to a runner's heartbeat. */
import type { ExecutionId, SessionId } from "../../shared/Ids.ts"
import type { InFlight, Lease } from "../Lease.ts"
import type { HeldRun } from "../Run.ts"
import { commandKey, type RunnerCommand, standingOf } from "./RunnerCommand.ts"
import type { RunnerSession } from "./RunnerSession.ts"

export interface Pulse {
  /** The session's own work with its lease, which was extended if the work was started. */
  readonly held: ReadonlyArray<{ readonly executionId: ExecutionId; readonly lease: Lease }>
  readonly commands: ReadonlyArray<RunnerCommand>
  /** Work that is no longer the session's. */
  readonly lost: ReadonlyArray<InFlight>
}

/** Names each piece of news in a pulse: it ends a poll once, and is repeated until obeyed. */
export const newsOf = ({ commands, lost }: Pulse): ReadonlyArray<string> => [
  ...commands.map(commandKey),
  ...lost.map(lossKey)
]

/** Tells a session that was asked to leave so, until it says that it does. */
export const withDrain = (pulse: Pulse, { drainRequestedAt, isDraining }: RunnerSession): Pulse =>
  drainRequestedAt === null || isDraining
    ? pulse
    : { ...pulse, commands: [...pulse.commands, { _tag: "Drain" }] }

const lossKey = ({ epoch, executionId }: InFlight): string => `lost:${executionId}:${epoch}`

/** What a session hears about the runs that it believes to hold, as they now are. */
export const pulseOf = (
  runs: ReadonlyArray<HeldRun>,
  { inFlight, sessionId }: { readonly inFlight: ReadonlyArray<InFlight>; readonly sessionId: SessionId }
): Pulse => {
  const byId = new Map(runs.map((run) => [run.execution.id, run]))
  const held: Array<Pulse["held"][number]> = []
  const commands: Array<RunnerCommand> = []
  const lost: Array<InFlight> = []
  for (const each of inFlight) {
    const run = byId.get(each.executionId)
    const standing = run === undefined ? ({ _tag: "Lost" } as const) : standingOf(run, { ...each, sessionId })
    if (standing._tag === "Lost") lost.push(each)
    if (standing._tag === "Held") held.push({ executionId: each.executionId, lease: standing.lease })
    if (standing._tag !== "Lost" && standing.command !== null) commands.push(standing.command)
  }
  return { held, commands, lost }
}
