/**
 * What integrators, observers, runners and a receiver of callbacks saw of a
 * service, as they saw it. Times are milliseconds of the one clock they share.
 */
export type History = ReadonlyArray<Entry>

export type Entry =
  | Absence
  | Answered
  | Cancelled
  | Claimed
  | Created
  | Fetched
  | Final
  | Receipt
  | Requested
  | Sighting
  | Stored
  | Struck
  | Written

export type Status =
  | "pending"
  | "queued"
  | "running"
  | "awaiting_input"
  | "completed"
  | "error"
  | "cancelled"
  | "aborted"

/** A request ended, successfully or not. */
export interface Requested {
  readonly is: "requested"
  readonly call: string
  /** The life of a process that it was sent to. */
  readonly life: string
  readonly sentAt: number
  readonly at: number
  /** How long it asked to be kept waiting. */
  readonly wait: number
  /** The status it was answered with; or its connection broke; or the caller gave up waiting. */
  readonly outcome: number | "reset" | "silent"
  /** What an answer that is no success says. */
  readonly error?: string
  /** Of a 503: when to try again. */
  readonly retryAfter?: string | null
}

/** A life of a process was not there, or held still, because the test made it so. */
export interface Absence {
  readonly is: "absence"
  readonly life: string
  readonly how: "killed" | "frozen"
  readonly from: number
  /** Infinite for what was killed. */
  readonly until: number
}

/** Something happened to the service, from beginning to end. */
export interface Struck {
  readonly is: "struck"
  readonly from: number
  readonly until: number
}

/** A create was acknowledged. */
export interface Created {
  readonly is: "created"
  readonly executionId: string
  readonly idempotencyKey: string
  readonly reference: string
  /** What was asked for. */
  readonly body: string
  readonly sentAt: number
  readonly at: number
}

/** A cancel was acknowledged, with this status. */
export interface Cancelled {
  readonly is: "cancelled"
  readonly executionId: string
  readonly status: Status
  readonly sentAt: number
  readonly at: number
}

/** The answer to a question was acknowledged. */
export interface Answered {
  readonly is: "answered"
  readonly executionId: string
  readonly value: string
  readonly at: number
}

/** An execution was seen, alone or in a list. */
export interface Sighting {
  readonly is: "sighting"
  readonly executionId: string
  readonly status: Status
  readonly attempt: number
  /** The JSON of what it produced. */
  readonly result: string
  readonly sentAt: number
  readonly at: number
}

/** A runner was given work. */
export interface Claimed {
  readonly is: "claimed"
  readonly executionId: string
  readonly epoch: number
  readonly at: number
}

/** A runner's write was accepted, or refused for good. */
export interface Written {
  readonly is: "written"
  readonly executionId: string
  readonly epoch: number
  readonly verb: "start" | "ask" | "complete" | "release" | "store"
  readonly accepted: boolean
  /** Of an outcome: what it says, as JSON. */
  readonly outcome?: { readonly status: Status; readonly result: string }
  readonly sentAt: number
  readonly at: number
}

/** The upload of a file was acknowledged. */
export interface Stored {
  readonly is: "stored"
  readonly executionId: string
  readonly fileId: string
  readonly sha256: string
}

/** A file was downloaded. */
export interface Fetched {
  readonly is: "fetched"
  readonly executionId: string
  readonly fileId: string
  readonly sha256: string
}

/** A callback was on the receiver's disk. */
export interface Receipt {
  readonly is: "receipt"
  readonly executionId: string
  readonly eventId: string
  readonly type: string
  readonly sha256: string
  /** Why it must not be believed. */
  readonly forgery?: string
  /** How the receiver answered. */
  readonly answer: "taken" | "refused" | "late" | "broken off"
  readonly at: number
}

/** An execution as the service shows it when everything is over. */
export interface Final {
  readonly is: "final"
  readonly executionId: string
  readonly reference: string
  readonly status: Status
  readonly result: string
  readonly hasStarted: boolean
}

type Named<Name extends Entry["is"]> = Extract<Entry, { readonly is: Name }>

/** The entries of one kind, in their order. */
export const allOf = <Name extends Entry["is"]>(history: History, name: Name): ReadonlyArray<Named<Name>> =>
  history.filter((entry): entry is Named<Name> => entry.is === name)

/** What was seen of each execution. */
export const byExecution = <A extends { readonly executionId: string }>(
  entries: ReadonlyArray<A>
): ReadonlyMap<string, ReadonlyArray<A>> => Map.groupBy(entries, ({ executionId }) => executionId)

const terminal: ReadonlySet<Status> = new Set(["completed", "error", "cancelled", "aborted"])

export const isTerminal = (status: Status): boolean => terminal.has(status)

/** The type of the callback that tells of an end. */
export const eventOf = (status: Status): string =>
  ({
    pending: "",
    queued: "execution.queued",
    running: "execution.started",
    awaiting_input: "",
    completed: "execution.completed",
    error: "execution.failed",
    cancelled: "execution.aborted",
    aborted: "execution.aborted"
  })[status]
