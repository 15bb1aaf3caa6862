/** Schedules for tests of the rules. */
import { AccountId, ApiKeyId, ScheduleId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { newSchedule, type Schedule } from "@runhook/core/schedules/Schedule"
import * as DateTime from "effect/DateTime"

const start = DateTime.makeUnsafe("2030-01-01T00:00:00.000Z")

/** The instant that many seconds into a test. */
export const second = (seconds: number): DateTime.Utc =>
  DateTime.add(start, { milliseconds: seconds * 1_000 })

const id = "019bb150-2c40-7a1f-9d3b-5e8c7a6b4f20"

/** A schedule of every minute, as it is when it was made with these fields. */
export const makeSchedule = (fields: Partial<Schedule> = {}): Schedule =>
  newSchedule({
    id: ScheduleId.make(id),
    accountId: AccountId.make(id),
    apiKeyId: ApiKeyId.make(id),
    name: "Nightly",
    cron: null,
    timeZone: null,
    everySeconds: 60,
    startsAt: null,
    endsAt: null,
    overlap: "allow",
    missed: "last",
    jitterSeconds: 0,
    isEnabled: true,
    request: StoredJson.of({}),
    createdAt: start,
    ...fields
  })
