/** Problems of an execution, each in a sentence, shown on top of its page. */
import { endEvents, type ExecutionExplained } from "@runhook/sdk/admin"
import { countOf, countWords } from "../../format/Amounts.ts"
import type { Tone } from "../../parts/Looks.ts"
import { say, type Sentence } from "../deliveries/Sentence.ts"
import type { ExecutionData } from "./ExecutionData.ts"

export interface Warning {
  readonly tone: Tone
  readonly title: string
  readonly text: Sentence
  /** The delivery to link to. */
  readonly eventId?: string
}

export const warningsOf = (seen: ExecutionData): ReadonlyArray<Warning> => [
  ...ended(seen),
  ...failedCallback(seen),
  ...(seen.explained === undefined ? [] : [waiting(seen.explained, seen.execution)])
]

const ended = ({ execution }: ExecutionData): ReadonlyArray<Warning> => {
  const { error_message, status, status_reason } = execution
  if (status === "error") {
    return [
      { tone: "bad", title: "It failed", text: say`${{ theirs: error_message ?? "No reason was given." }}` }
    ]
  }
  if (status !== "aborted" && status !== "cancelled") return []
  const title = status === "aborted" ? "Stopped by its caller" : "Cancelled"
  return status_reason === null ? [] : [{ tone: "quiet", title, text: say`${{ theirs: status_reason }}` }]
}

/** The last failed callback: it is the one that the caller waits for. */
const failedCallback = ({ deliveries }: ExecutionData): ReadonlyArray<Warning> => {
  const off = deliveries.findLast(
    ({ attempts, state }) => state === "dead" || (state === "pending" && attempts > 0)
  )
  if (off === undefined) return []
  const isEnd = endEvents.has(off.type)
  const receiver = { theirs: URL.parse(off.callback_url)?.host ?? off.callback_url }
  const said = off.last_status === null ? "gives no answer to" : `answers ${off.last_status} to`
  const start = say`${receiver} ${said} ${off.type.replace("execution.", "")}. `
  const { event_id: eventId, next_attempt_at: next } = off
  if (off.state === "dead") {
    const title = isEnd ? "The work is done, and nobody was told" : "A callback was given up"
    return [{ tone: "bad", title, text: [...start, "Every attempt was used up."], eventId }]
  }
  const title = isEnd ? "The work is done, but the outcome has not arrived" : "A callback has not arrived yet"
  const again = next === null ? [] : say`Next attempt at ${{ at: next }}.`
  return [{ tone: "warn", title, text: [...start, ...again], eventId }]
}

/** Names only the most important reason; the others follow from it. */
const waiting = (
  { blocked_by, not_before, position, state }: ExecutionExplained,
  { agent_name, concurrency_key }: ExecutionData["execution"]
): Warning => {
  const ahead = position === null || position < 2 ? "" : `${countWords(position - 1)} ahead of it. `
  const agent = { theirs: agent_name ?? "Its agent" }
  const seat = blocked_by.find(({ kind }) => kind === "concurrency_key")
  const reasons: ReadonlyArray<readonly [kind: string, tone: Tone, title: string, text: Sentence]> = [
    ["held", "quiet", "Held", say`It waits until it is released.`],
    ["agent_disabled", "warn", "Its agent is disabled", say`${agent} runs nothing until it is enabled.`],
    ["agent_paused", "warn", "Its agent is paused", say`${ahead}${agent} runs nothing until it is resumed.`],
    [
      "no_runner",
      "warn",
      "No runner serves its agent",
      say`${ahead}It starts when a runner of ${agent} connects.`
    ],
    [
      "concurrency_key",
      "run",
      "It waits for a seat",
      say`${countOf(seat?.limit ?? 0, "execution")} of the concurrency key ${{ theirs: concurrency_key ?? "" }} may be at work at once, and ${countWords(seat?.current ?? 0)} ${seat?.current === 1 ? "is" : "are"}.`
    ],
    ["not_before", "run", "It starts later", say`Not before ${{ at: not_before ?? "" }}.`],
    [
      "runners_draining",
      "warn",
      "Its runners are draining",
      say`${ahead}They finish what they have and take nothing new.`
    ],
    ["agent_capacity", "run", "It waits for a free slot", say`${ahead}${agent} runs as many as it may.`]
  ]
  const [, tone, title, text] = reasons.find(([reason]) =>
    blocked_by.some(({ kind }) => kind === reason)
  ) ?? [
    "",
    "run" as const,
    state === "claimed" ? "A runner has it" : "In the queue",
    say`${ahead}It starts in a moment.`
  ]
  return { tone, title, text }
}
