/** Work on many rows of an account, done bite by bite in any process: what all jobs have in common. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { AccountId } from "../shared/Ids.ts"

/** Jobs of an account that cancel executions at the same time. */
export const jobsAtOnceMax = 10

/** Jobs that a process tries to advance in one turn: others may be advancing the first ones. */
export const jobsTried = 8

/** How long a job is left alone whose bite took so long and failed: nine tenths of the time are others'. */
export const waitAfterFailure = (took: Duration.Duration): Duration.Duration =>
  Duration.clamp(Duration.times(took, 9), { minimum: Duration.seconds(5), maximum: Duration.minutes(10) })

/** A finished job is pruned after this long. */
export const jobRemembered = Duration.days(30)

export const JobStatus = Schema.Literals(["running", "completed", "cancelled"])
export type JobStatus = typeof JobStatus.Type

export const jobFields = {
  accountId: AccountId,
  status: JobStatus,
  /** When a job whose last bite failed is advanced again; null if none has. */
  retryAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  finishedAt: Schema.NullOr(Schema.DateTimeUtc)
}

export type Job = Schema.Struct<typeof jobFields>["Type"]

export const begunAs = (at: DateTime.Utc) =>
  ({ status: "running", retryAt: null, createdAt: at, updatedAt: at, finishedAt: null }) as const

/** What a bite changes of every job. */
export const afterBite = (at: DateTime.Utc, { isLast }: { readonly isLast: boolean }) =>
  isLast ? finishedAs("completed", at) : { updatedAt: at }

/** The job after it was cancelled. A finished one stays as it is. */
export const calledOff = <Of extends Job>(job: Of, at: DateTime.Utc): Of =>
  job.status === "running" ? { ...job, ...finishedAs("cancelled", at) } : job

const finishedAs = (status: JobStatus, at: DateTime.Utc) => ({ status, updatedAt: at, finishedAt: at })

/** When a job is pruned; null while it runs. */
export const jobForgottenAt = ({ finishedAt }: Job): DateTime.Utc | null =>
  finishedAt && DateTime.addDuration(finishedAt, jobRemembered)
