/** Problems of an execution, each in a sentence, shown on top of its page. */
import { type DeliveryDetail, endEvents, type ExecutionExplained } from "@runhook/sdk/admin"
import { countWords } from "../../format/Amounts.ts"
import type { Tone } from "../../parts/Status.tsx"
import type { ExecutionData } from "./ExecutionData.ts"

/** A part of a sentence: plain text, untrusted text, or a time. */
export type Piece =
  | string
  | { readonly _tag: "Words"; readonly text: string }
  | { readonly _tag: "Moment"; readonly at: string }

export interface Warning {
  readonly tone: Tone
  readonly title: string
  readonly text: ReadonlyArray<Piece>
  /** The delivery to link to. */
  readonly eventId?: string
}

export const warningsOf = (seen: ExecutionData): ReadonlyArray<Warning> => [
  ...ended(seen),
  ...failedCallback(seen),
  ...(seen.explained === undefined ? [] : [waiting(seen.explained, seen.execution.agent_name ?? "its agent")])
]

const words = (text: string): Piece => ({ _tag: "Words", text })
const moment = (at: string): Piece => ({ _tag: "Moment", at })

const ended = ({ execution }: ExecutionData): ReadonlyArray<Warning> => {
  const { error_message, status, status_reason } = execution
  if (status === "error") {
    return [{ tone: "bad", title: "It failed", text: [words(error_message ?? "No reason was given.")] }]
  }
  if (status !== "aborted" && status !== "cancelled") return []
  const title = status === "aborted" ? "Stopped by its caller" : "Cancelled"
  return status_reason === null ? [] : [{ tone: "quiet", title, text: [words(status_reason)] }]
}

/** The last failed callback: it is the one that the caller waits for. */
const failedCallback = ({ deliveries }: ExecutionData): ReadonlyArray<Warning> => {
  const off = deliveries.findLast(
    ({ attempts, state }) => state === "dead" || (state === "pending" && attempts > 0)
  )
  if (off === undefined) return []
  const isEnd = endEvents.has(off.type)
  const receiver = words(URL.parse(off.callback_url)?.host ?? off.callback_url)
  const said = off.last_status === null ? "gives no answer to " : `answers ${off.last_status} to `
  const type = off.type.replace("execution.", "")
  const start = [receiver, " ", said, type, ". "] satisfies ReadonlyArray<Piece>
  if (off.state === "dead") {
    return [
      {
        tone: "bad",
        title: isEnd ? "The work is done, and nobody was told" : "A callback was given up",
        text: [...start, "Every attempt was used up."],
        eventId: off.event_id
      }
    ]
  }
  return [
    {
      tone: "warn",
      title: isEnd ? "The work is done, but the outcome has not arrived" : "A callback has not arrived yet",
      text: [...start, ...nextOf(off)],
      eventId: off.event_id
    }
  ]
}

const nextOf = ({ next_attempt_at }: DeliveryDetail): ReadonlyArray<Piece> =>
  next_attempt_at === null ? [] : ["Next attempt at ", moment(next_attempt_at), "."]

/** Names only the most important reason; the others follow from it. */
const waiting = (
  { blocked_by, not_before, position, ...explained }: ExecutionExplained,
  agent: string
): Warning => {
  const kinds = new Set<string>(blocked_by.map(({ kind }) => kind))
  const ahead = position === null || position < 2 ? "" : `${countWords(position - 1)} ahead of it. `
  const say = (tone: Tone, title: string, ...text: ReadonlyArray<Piece>): Warning => ({ tone, title, text })
  if (kinds.has("held")) return say("quiet", "Held", "It waits until it is released.")
  if (kinds.has("agent_disabled"))
    return say("warn", "Its agent is disabled", words(agent), " runs nothing until it is enabled.")
  if (kinds.has("agent_paused"))
    return say("warn", "Its agent is paused", ahead, words(agent), " runs nothing until it is resumed.")
  if (kinds.has("no_runner"))
    return say(
      "warn",
      "No runner serves its agent",
      ahead,
      "It starts when a runner of ",
      words(agent),
      " connects."
    )
  if (kinds.has("not_before") && not_before !== null)
    return say("run", "It starts later", "Not before ", moment(not_before), ".")
  if (kinds.has("runners_draining"))
    return say("warn", "Its runners are draining", ahead, "They finish what they have and take nothing new.")
  if (kinds.has("agent_capacity"))
    return say("run", "It waits for a free slot", ahead, words(agent), " runs as many as it may.")
  return say(
    "run",
    explained.state === "claimed" ? "A runner has it" : "In the queue",
    ahead,
    "It starts in a moment."
  )
}
