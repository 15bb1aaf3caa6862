/** How the statuses of the API are shown: their icons, colours and words. */
import type { IconName } from "./Icon.tsx"

export type Tone = "good" | "bad" | "warn" | "run" | "quiet"

export interface Look {
  readonly icon: IconName
  readonly tone: Tone
  readonly word: string
}

const look = (icon: IconName, tone: Tone, word: string): Look => ({ icon, tone, word })

const looks: { readonly [state: string]: Look } = {
  // Executions
  pending: look("pause", "quiet", "Held"),
  queued: look("clock", "quiet", "Queued"),
  running: look("run", "run", "Running"),
  awaiting_input: look("ask", "warn", "Needs input"),
  completed: look("check", "good", "Completed"),
  error: look("cross", "bad", "Error"),
  aborted: look("stop", "quiet", "Aborted"),
  cancelled: look("stop", "quiet", "Cancelled"),
  // Deliveries; the API says `pending` for both `waiting` and `sending`.
  waiting: look("clock", "warn", "Waiting"),
  sending: look("run", "run", "Sending"),
  delivered: look("check", "good", "Delivered"),
  dead: look("dead", "bad", "Dead letter"),
  failed: look("cross", "bad", "Failed"),
  // Receivers
  healthy: look("check", "good", "Healthy"),
  failing: look("cross", "bad", "Failing"),
  open: look("clock", "warn", "Paused"),
  recovering: look("run", "run", "Recovering"),
  untried: look("clock", "quiet", "Not tried yet"),
  // Keys, agents, runners
  active: look("check", "good", "Active"),
  expiring: look("alert", "warn", "Expires soon"),
  expired: look("lock", "quiet", "Expired"),
  revoked: look("lock", "quiet", "Revoked"),
  staged: look("clock", "warn", "Staged"),
  previous: look("clock", "quiet", "Ends soon"),
  online: look("check", "good", "Online"),
  offline: look("cross", "bad", "Offline"),
  draining: look("pause", "warn", "Draining"),
  paused: look("pause", "warn", "Paused"),
  disabled: look("lock", "quiet", "Disabled")
}

/** How a status is shown; an unknown one is shown as it is. */
export const lookOf = (status: string): Look => looks[status] ?? look("alert", "quiet", status)

/** Its word alone, for titles and filters. */
export const statusWord = (status: string): string => lookOf(status).word
