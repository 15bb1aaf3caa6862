/** What is made of `Retry-After`, which any server on the way may have written. */
import { refusal } from "../RawServer.ts"
import { create, createAndWait, created, execution, look, type Scenario } from "./Scenario.ts"

const hour = 3_600_000
const date = "Sat, 01 Jan 2000 00:00:00 GMT"

/** The header, the service's own date if it says it, and the milliseconds that are waited; null: as if it were not there. */
const cases: ReadonlyArray<readonly [string, string | undefined, number | null]> = [
  ["0", undefined, 0],
  ["7", undefined, 7_000],
  ["1.5", undefined, 1_500],
  ["3600", undefined, hour],
  ["3601", undefined, hour],
  ["9999999999", undefined, hour],
  ["9".repeat(400), undefined, hour],
  ["-5", date, null],
  ["+5", date, null],
  [".5", date, null],
  ["1e9", date, null],
  ["0x10", date, null],
  ["NaN", date, null],
  ["Infinity", date, null],
  ["soon", date, null],
  ["5, 6", date, null],
  ["", date, null],
  ["Sat, 01 Jan 2000 00:00:03 GMT", date, 3_000],
  ["Fri, 31 Dec 9999 23:59:59 GMT", date, hour],
  ["Fri, 31 Dec 1999 23:59:59 GMT", date, null],
  ["Sat, 01 Jan 2000 00:00:03 GMT", undefined, null],
  ["Sat, 01 Jan 2000 00:00:03 GMT", "never", null]
]

const heading = (retryAfter: string, at: string | undefined) => ({
  "retry-after": retryAfter,
  // Node writes a date of its own unless told otherwise.
  date: at ?? ""
})

export const retryAfters: ReadonlyArray<Scenario> = [
  ...cases.map(([text, at, retryAfterMs]) => ({
    title: `reads Retry-After ${text.slice(0, 40)} at ${at} as ${retryAfterMs} ms`,
    ...look,
    answers: [refusal(503, "internal_error", heading(text, at))],
    limits: { retries: 0 },
    ends: { error: "InternalError", retryAfterMs, requests: 1, pauses: [] }
  })),
  {
    title: "waits an hour at most, however long it is asked to",
    ...createAndWait,
    answers: [
      created,
      refusal(503, "internal_error", { "retry-after": "9999999999" }),
      refusal(429, "rate_limited", { "retry-after": "9".repeat(400) }),
      execution("completed")
    ],
    ends: { value: "completed", pauses: [hour + 250, hour + 500] }
  },
  {
    title: "ends at once when it is asked to wait for longer than a call may take",
    ...create,
    answers: [refusal(429, "rate_limited", { "retry-after": "9999999999" })],
    ends: { error: "RateLimitedError", requests: 1, pauses: [] }
  }
]
