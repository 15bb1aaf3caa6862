/** A schedule: a request for an execution that is made again and again, at the due times of a rule. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { changesOneOf } from "../shared/Difference.ts"
import type { CreateExecution } from "../executions/create/CreateExecution.ts"
import { AccountId, ApiKeyId, ExecutionId, ScheduleId } from "../shared/Ids.ts"
import { type JsonObject, KnownJsonObject } from "../shared/json/Json.ts"
import { StoredObjectFromText } from "../shared/json/StoredJson.ts"
import { cronAfter, cronBefore, cronRule } from "./CronRule.ts"
import { storedAs } from "./ScheduledRequest.ts"

/** What a due time does while an earlier execution of the schedule is unfinished. */
export const Overlap = Schema.Literals(["allow", "skip", "cancel_running"])

/** Which due times are made up for that passed while nothing could be created. */
export const Missed = Schema.Literals(["skip", "last", "all"])

/** What came of a due time: an execution, or why there is none. */
export const ScheduleOutcome = Schema.Literals(["created", "skipped", "missed", "refused"])

/** Longest distance of two due times: 366 days. */
export const everySecondsMax = 31_622_400

export const EverySeconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: everySecondsMax }))

/** Longest jitter: an hour. */
export const jitterSecondsMax = 3_600

export const JitterSeconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: jitterSecondsMax }))

/** How many of the latest executions of a schedule are looked at for one that is unfinished. */
export const overlapLookedAt = 50

/** How an execution ends that makes room for the next of its schedule. */
export const cancelledForNext = {
  to: "cancelled",
  reason: "The next execution of its schedule was due"
} as const

export const Schedule = Schema.Struct({
  id: ScheduleId,
  accountId: AccountId,
  /** The key in whose name it creates. */
  apiKeyId: ApiKeyId,
  name: Name,
  /** Either this and a time zone, or `everySeconds`. */
  cron: Schema.NullOr(Schema.String),
  timeZone: Schema.NullOr(Schema.String),
  everySeconds: Schema.NullOr(Schema.Int),
  /** Where `everySeconds` counts from. */
  anchorAt: Schema.DateTimeUtc,
  startsAt: Schema.NullOr(Schema.DateTimeUtc),
  endsAt: Schema.NullOr(Schema.DateTimeUtc),
  overlap: Overlap,
  missed: Missed,
  jitterSeconds: Schema.Int,
  isEnabled: Schema.Boolean,
  /** As `storedRequest` makes it. */
  request: StoredObjectFromText,
  /** The first due time that nothing came of yet; null if none will come. */
  nextAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When somebody should look at it; while one does, when another should. */
  wakeAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The last due time that something came of, and what. */
  lastAt: Schema.NullOr(Schema.DateTimeUtc),
  lastOutcome: Schema.NullOr(ScheduleOutcome),
  lastExecutionId: Schema.NullOr(ExecutionId),
  /** Why it was refused: the error of the domain, as its class encodes it. */
  lastError: Schema.NullOr(KnownJsonObject),
  /** Rises with each change, and with each claim: who has an older one changes nothing. */
  revision: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type Schedule = typeof Schedule.Type

/** When a schedule is due. */
export type Timing = Pick<Schedule, "anchorAt" | "cron" | "endsAt" | "everySeconds" | "startsAt" | "timeZone">

/** Due times as milliseconds, without a beginning or an end. */
interface DueTimes {
  readonly after: (moment: number) => number
  readonly before: (moment: number) => number
}

const dueTimes = ({ anchorAt, cron, everySeconds, startsAt, timeZone }: Timing): DueTimes => {
  if (cron !== null) {
    const rule = Result.getOrThrowWith(cronRule(cron, timeZone ?? "UTC"), ({ rule: said }) => new Error(said))
    return { after: (moment) => cronAfter(rule, moment), before: (moment) => cronBefore(rule, moment) }
  }
  const step = (everySeconds ?? 0) * 1_000
  const origin = (startsAt ?? anchorAt).epochMilliseconds
  return {
    after: (moment) => origin + (Math.floor((moment - origin) / step) + 1) * step,
    before: (moment) => origin + (Math.ceil((moment - origin) / step) - 1) * step
  }
}

/** No due time is later: with its jitter it stays within the years of four digits, which are all that an answer can show. */
const lastDue = Date.parse("9999-12-31T23:59:59.999Z") - jitterSecondsMax * 1_000

const withinEnd = ({ endsAt }: Timing, moment: number): DateTime.Utc | null =>
  moment > Math.min(endsAt?.epochMilliseconds ?? Infinity, lastDue) ? null : DateTime.makeUnsafe(moment)

/** The first due time after a moment; null if there is none. */
export const dueAfter = (timing: Timing, at: DateTime.Utc): DateTime.Utc | null => {
  const { startsAt } = timing
  const from = Math.max(at.epochMilliseconds, startsAt === null ? -Infinity : startsAt.epochMilliseconds - 1)
  return withinEnd(timing, dueTimes(timing).after(from))
}

/** The last due times before a moment that are not before another: at most so many, earliest first. */
export const dueBetween = (
  timing: Timing,
  {
    from,
    limit,
    until
  }: { readonly from: DateTime.Utc; readonly until: DateTime.Utc; readonly limit: number }
): ReadonlyArray<DateTime.Utc> => {
  const { before } = dueTimes(timing)
  const found: Array<DateTime.Utc> = []
  let moment = Math.min(until.epochMilliseconds, timing.endsAt?.epochMilliseconds ?? Infinity) + 1
  while (found.length < limit) {
    moment = before(moment)
    if (moment < from.epochMilliseconds) break
    found.push(DateTime.makeUnsafe(moment))
  }
  return found.toReversed()
}

/** The next due times, as far as there are so many. */
export const nextDueTimes = (schedule: Schedule, count: number): ReadonlyArray<DateTime.Utc> => {
  const times: Array<DateTime.Utc> = []
  let next = schedule.nextAt
  while (next !== null && times.length < count) {
    times.push(next)
    next = dueAfter(schedule, next)
  }
  return times
}

/**
 * When the execution of a due time is created: later by a part of the jitter, the same in every process, so that
 * schedules with the same due time spread.
 */
export const firesAt = (
  { id, jitterSeconds }: Pick<Schedule, "id" | "jitterSeconds">,
  due: DateTime.Utc
): DateTime.Utc => {
  if (jitterSeconds === 0) return due
  let hash = 2_166_136_261
  for (const letter of `${id} ${due.epochMilliseconds}`) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  }
  // The last step spreads what differs in the last letters alone.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  const part = ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
  return DateTime.addDuration(due, Duration.millis(Math.floor(part * jitterSeconds * 1_000)))
}

/** The schedule with its next due time, and woken for it. */
const awaiting = (schedule: Schedule, nextAt: DateTime.Utc | null): Schedule => ({
  ...schedule,
  nextAt,
  wakeAt: nextAt && firesAt(schedule, nextAt)
})

/** What is given of a schedule when it is made. */
export type NewSchedule = Omit<
  Schedule,
  | "anchorAt"
  | "lastAt"
  | "lastError"
  | "lastExecutionId"
  | "lastOutcome"
  | "nextAt"
  | "revision"
  | "updatedAt"
  | "wakeAt"
>

export const newSchedule = (given: NewSchedule): Schedule =>
  changeSchedule(
    {
      ...given,
      anchorAt: given.createdAt,
      isEnabled: false,
      nextAt: null,
      wakeAt: null,
      lastAt: null,
      lastOutcome: null,
      lastExecutionId: null,
      lastError: null,
      revision: 0,
      updatedAt: given.createdAt
    },
    { isEnabled: given.isEnabled },
    given.createdAt
  )

/** What says when it is due, but for its end: with other ones it begins anew. */
const times = ["cron", "everySeconds", "startsAt", "timeZone"] as const

/** What can be changed about a schedule. */
const changeable = [
  ...times,
  "apiKeyId",
  "endsAt",
  "isEnabled",
  "jitterSeconds",
  "missed",
  "name",
  "overlap",
  "request"
] as const

export type ScheduleChange = Partial<Pick<Schedule, (typeof changeable)[number]>>

/** Whether a change is one of the times at which it is due or fires. */
export const isRetimed = (before: Schedule, change: ScheduleChange): boolean =>
  changesOneOf(before, change, [...times, "endsAt", "jitterSeconds"])

/**
 * A changed schedule. With other times, and after a pause, it goes on with the first due time from then: what was due
 * before is neither missed nor made up for. Any other change leaves its next due time, if that is before its end.
 */
export const changeSchedule = (before: Schedule, change: ScheduleChange, at: DateTime.Utc): Schedule => {
  if (!changesOneOf(before, change, changeable)) return before
  const after = {
    ...before,
    ...change,
    anchorAt: changesOneOf(before, change, ["everySeconds"]) ? at : before.anchorAt,
    revision: before.revision + 1,
    updatedAt: at
  }
  if (!after.isEnabled) return { ...after, nextAt: null, wakeAt: null }
  const isAnew = !before.isEnabled || before.nextAt === null || changesOneOf(before, change, times)
  return awaiting(after, isAnew ? dueAfter(after, at) : withinEnd(after, before.nextAt.epochMilliseconds))
}

/** What gives a changed schedule to the key that changes it. */
const taking = [...times, "endsAt", "jitterSeconds", "missed", "overlap", "request"] as const

/**
 * Whether a change gives the schedule to the key that makes it: what is created then must be what this key may create.
 * So does another value of whatever says what is created, or when, and a resumption; a pause and another name do not.
 */
export const takesOver = (
  before: Schedule,
  { request, ...change }: Omit<ScheduleChange, "request"> & { readonly request?: CreateExecution | undefined }
): boolean =>
  (change.isEnabled === true && !before.isEnabled) ||
  changesOneOf<Schedule>(
    before,
    { ...change, ...(request && { request: storedAs(before.request, request) }) },
    taking
  )

/** The schedule when it was fired besides its due times: those stay. */
export const stillAwaiting = (schedule: Schedule): Schedule => ({
  ...awaiting(schedule, schedule.nextAt),
  revision: schedule.revision + 1
})

/** What came of a due time. */
export type Came =
  | { readonly outcome: "created"; readonly executionId: ExecutionId }
  | { readonly outcome: "missed" | "skipped" }
  | {
      readonly outcome: "refused"
      readonly error: JsonObject
      /** Whether every later one would be refused as well, so that the schedule stops. */
      readonly isLast: boolean
    }

/** The schedule once something came of a due time. */
export const afterDue = (
  schedule: Schedule,
  {
    came,
    due,
    nextAt
  }: { readonly due: DateTime.Utc; readonly nextAt: DateTime.Utc | null; readonly came: Came }
): Schedule => {
  const isOver = came.outcome === "refused" && came.isLast
  const after = {
    ...schedule,
    isEnabled: schedule.isEnabled && !isOver,
    revision: schedule.revision + 1,
    lastAt: due,
    lastOutcome: came.outcome,
    lastExecutionId: came.outcome === "created" ? came.executionId : null,
    lastError: came.outcome === "refused" ? came.error : null
  }
  return awaiting(after, after.isEnabled ? nextAt : null)
}
