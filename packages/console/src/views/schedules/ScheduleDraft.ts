/** The form of a schedule as typed, and the requests that it stands for. Pure. */
import type {
  AdminCreateSchedule,
  AdminUpdateSchedule,
  Json,
  KnownExecutionEventType,
  Schedule
} from "@runhook/sdk/admin"
import { chosenOf, oneOf } from "../../format/Choices.ts"
import { localInput } from "../../format/Moments.ts"
import { isMembers } from "../../format/Json.ts"
import { missedPolicies, overlaps } from "./ScheduleWords.ts"

export type ScheduleDraft = ReturnType<typeof draftOf>

/** Texts, as fields have them. `by` is `cron` or `every`. */
export const draftOf = (of: Schedule | undefined, timeZone: string) => ({
  name: of?.name ?? "",
  key: of?.key_id ?? "",
  agent: of?.execution.agent_id ?? "",
  task: of?.execution.task_id ?? "",
  by: of?.every_seconds ? "every" : "cron",
  cron: of?.cron ?? "0 2 * * *",
  zone: of?.time_zone ?? timeZone,
  every: String(of?.every_seconds ?? 3_600),
  overlap: String(of?.overlap ?? "allow"),
  missed: String(of?.missed ?? "last"),
  jitter: String(of?.jitter_seconds ?? 0),
  starts: localInput(of?.starts_at ?? null),
  ends: localInput(of?.ends_at ?? null),
  callbackUrl: of?.execution.callback_url ?? ""
})

const instantOf = (text: string): string | null => (text === "" ? null : new Date(text).toISOString())

/** When it is due, of which stays as it is what was not changed: due times are counted from it, to the second. */
const timingOf = (draft: ScheduleDraft, before: Schedule | undefined) => {
  const unchanged = before === undefined ? undefined : draftOf(before, draft.zone)
  return {
    ...(draft.starts !== unchanged?.starts && { starts_at: instantOf(draft.starts) }),
    ...(draft.ends !== unchanged?.ends && { ends_at: instantOf(draft.ends) }),
    ...ruleOf(draft, unchanged)
  }
}

const ruleOf = (draft: ScheduleDraft, unchanged: ScheduleDraft | undefined) => {
  const isSame = (["by", "cron", "zone", "every"] as const).every((name) => draft[name] === unchanged?.[name])
  if (isSame) return {}
  return draft.by === "cron"
    ? { cron: draft.cron.trim(), time_zone: draft.zone.trim() }
    : { every_seconds: Number(draft.every) }
}

const isEvent = (type: string): type is KnownExecutionEventType => type.startsWith("execution.")

/** What the form has no field for stays. */
export const bodyOf = (
  draft: ScheduleDraft,
  params: Json | undefined,
  before?: Schedule
): AdminCreateSchedule & AdminUpdateSchedule => {
  const { callback_events, concurrency_policy, params: paramsBefore, ...execution } = before?.execution ?? {}
  return {
    name: draft.name.trim(),
    key_id: draft.key,
    ...timingOf(draft, before),
    overlap: chosenOf(overlaps, draft.overlap),
    missed: chosenOf(missedPolicies, draft.missed),
    jitter_seconds: Number(draft.jitter),
    execution: {
      ...execution,
      agent_id: draft.agent,
      ...(draft.task === "" ? {} : { task_id: draft.task }),
      params: isMembers(params) ? params : (paramsBefore ?? {}),
      callback_url: draft.callbackUrl.trim() || null,
      ...(callback_events && { callback_events: callback_events.filter(isEvent) }),
      ...(concurrency_policy && {
        concurrency_policy: oneOf(["queue", "reject", "cancel_running"], concurrency_policy)
      })
    }
  }
}

/** The change. What it creates is only sent where that was changed, since the service then admits it anew. */
export const changesOf = (
  draft: ScheduleDraft,
  params: Json | undefined,
  before: Schedule
): AdminUpdateSchedule => {
  const { execution, ...others } = bodyOf(draft, params, before)
  const unchanged = draftOf(before, draft.zone)
  const isSame =
    (["agent", "task", "callbackUrl"] as const).every((name) => draft[name] === unchanged[name]) &&
    JSON.stringify(execution.params) === JSON.stringify(before.execution.params)
  return isSame ? others : { ...others, execution }
}
