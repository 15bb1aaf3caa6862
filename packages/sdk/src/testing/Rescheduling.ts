/** The place of an execution in the queue, changed while nobody has it. */
import type { RescheduleExecution } from "../wire/Integration.ts"
import { instant } from "./Creating.ts"
import { brokenRules, Refused } from "./Refused.ts"
import { noQuery, rescheduleBody } from "./RequestRules.ts"
import { bodyOf, checkQuery, type Route } from "./Route.ts"
import { enter, find } from "./Runs.ts"
import type { World } from "./World.ts"

export const reschedule: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const { world } = asked
  const change: RescheduleExecution = bodyOf(asked, rescheduleBody)
  const waiting = find(world, asked.params["id"] ?? "")
  const { priority, scheduled_at, status } = waiting.fields
  const times = {
    expires_at: change.expires_at === undefined ? waiting.expiresAt : instant(change.expires_at),
    scheduled_at: change.scheduled_at === undefined ? scheduled_at : instant(change.scheduled_at)
  }
  checkTimes(world, change, times)
  if (status !== "pending" && status !== "queued") {
    throw new Refused({
      status: 409,
      code: "invalid_request",
      message: `Execution ${waiting.id} is ${status}: only one that is pending or queued can be changed`,
      details: { reason: "not_waiting", status }
    })
  }
  const { expiresAt, fields, id } = enter(
    world,
    { ...waiting, expiresAt: times.expires_at },
    {
      status,
      priority: change.priority ?? priority,
      // A start in the past means now.
      scheduled_at: isLater(times.scheduled_at, world) ? times.scheduled_at : null
    }
  )
  return {
    body: {
      execution_id: id,
      status: fields.status,
      scheduled_at: fields.scheduled_at,
      priority: fields.priority,
      expires_at: expiresAt
    }
  }
}

const isLater = (time: string | null, { clock }: World): boolean =>
  time !== null && new Date(time) > clock.now()

interface Times {
  readonly expires_at: string | null
  readonly scheduled_at: string | null
}

/** What is said anew must hold together with what stays. */
const checkTimes = (world: World, change: RescheduleExecution, { expires_at, scheduled_at }: Times): void => {
  if (expires_at === null) return
  if (change.expires_at !== undefined && !isLater(expires_at, world)) {
    throw wrong("expires_at", "must be in the future")
  }
  if (scheduled_at === null || expires_at > scheduled_at) return
  throw change.expires_at === undefined
    ? wrong("scheduled_at", "must be earlier than expires_at")
    : wrong("expires_at", "must be later than scheduled_at")
}

const wrong = (field: string, message: string) => brokenRules(422, [{ path: ["body", field], message }])
