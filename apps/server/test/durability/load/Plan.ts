/** What a runner is to do with an execution: its caller says so in `params.plan`. */
import type { Chance } from "../Chance.ts"

export type Plan =
  /** Completes. */
  | "complete"
  /** Ends with an error. */
  | "fail"
  /** Asks, lets go, and completes with the answer. */
  | "ask"
  /** Asks, holds on, and completes with the answer. */
  | "wait"
  /** Asks a question that is never answered. */
  | "mute"
  /** Completes, says so again, and then says that it failed. */
  | "twice"
  /** Uploads a file, and completes. */
  | "file"
  /** Is given back; who had it then writes on. */
  | "stale"
  /** Is started, and never heard of again until another has it: the lease has to run out. */
  | "crash"

/** The plans that are over within seconds; the good ones more often than the others. */
const brief = [
  "complete",
  "complete",
  "complete",
  "complete",
  "complete",
  "fail",
  "ask",
  "wait",
  "mute",
  "twice",
  "file",
  "stale"
] as const

export const planOf = (chance: Chance): Plan => chance.of([...brief])
