/** Which counts are asked for, and which of them can be answered. Pure functions. */
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { AccountId, ApiKeyId, TaskId } from "../shared/Ids.ts"
import { beginningOf, spanMillis, type UsageSpan, type UsageOf } from "./UsageCounts.ts"

export const UsageGroup = Schema.Literals(["none", "key", "task"])
export type UsageGroup = typeof UsageGroup.Type

/** The most hours or days in one answer. */
export const beginningsMax = 1_000

/** A question about counts; null where it leaves something open. */
export interface UsageQuestion {
  readonly accountId: AccountId
  readonly by: UsageSpan
  readonly group: UsageGroup
  readonly apiKeyId: ApiKeyId | null
  readonly taskId: TaskId | null
  readonly from: DateTime.Utc | null
  readonly to: DateTime.Utc | null
}

/** What can be looked up. */
export interface UsageRange {
  readonly of: UsageOf
  readonly span: UsageSpan
  /** When the first hour or day began. */
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** The fields of a query do not go together. */
export class InvalidQuery extends Schema.TaggedError<InvalidQuery>()("InvalidQuery", {
  field: Schema.String,
  rule: Schema.String
}) {
  override get message() {
    return `${this.field}: ${this.rule}`
  }
}

/** The default range, up to now. */
const defaultCount: Readonly<Record<UsageSpan, number>> = { hour: 24, day: 30 }

/** The range that a question means, asked at an instant. */
export const rangeOf = (
  { accountId, apiKeyId, by, from, group, taskId, to }: UsageQuestion,
  at: DateTime.Utc
): Result.Result<UsageRange, InvalidQuery> => {
  const refuse = (field: string, rule: string) => Result.fail(new InvalidQuery({ field, rule }))
  const end = to ?? at
  const start = from ?? DateTime.subtract(end, { milliseconds: (defaultCount[by] - 1) * spanMillis[by] })
  if (apiKeyId !== null && taskId !== null) {
    return refuse("task_id", "cannot be asked for together with key_id: counts are kept of each alone")
  }
  if (group !== "none" && (apiKeyId !== null || taskId !== null)) {
    return refuse("group", "must be none where key_id or task_id is given")
  }
  if (DateTime.isGreaterThan(start, end)) return refuse("from", "must not be after to")
  if (end.epochMilliseconds - start.epochMilliseconds >= beginningsMax * spanMillis[by]) {
    return refuse("from", `must be less than ${beginningsMax} ${by}s before to`)
  }
  return Result.succeed({
    of: ofQuestion({ accountId, apiKeyId, group, taskId }),
    span: by,
    from: beginningOf(by, start),
    to: DateTime.add(end, { milliseconds: 1 })
  })
}

const ofQuestion = ({
  accountId,
  apiKeyId,
  group,
  taskId
}: Pick<UsageQuestion, "accountId" | "apiKeyId" | "group" | "taskId">): UsageOf => {
  if (group !== "none") return { kind: group, id: null }
  if (apiKeyId !== null) return { kind: "key", id: apiKeyId }
  return taskId === null ? { kind: "account", id: accountId } : { kind: "task", id: taskId }
}

/** When each hour or day of a range began, oldest first. */
export const beginningsOf = ({ from, span, to }: UsageRange): ReadonlyArray<DateTime.Utc> => {
  const count = Math.ceil((to.epochMilliseconds - from.epochMilliseconds) / spanMillis[span])
  return Array.from({ length: count }, (_, place) =>
    DateTime.add(from, { milliseconds: place * spanMillis[span] })
  )
}
