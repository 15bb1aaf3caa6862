/** The callbacks of an execution: those it has, and those still to come. */
import { type AdminExecution, endEvents, isFinished } from "@runhook/sdk/admin"

export type CallbackFacts = Pick<AdminExecution, "callback_events" | "callback_url" | "callbacks" | "status">

/** How many callbacks are still to come. The kind of end is unknown, so the end counts once. */
export const toCome = ({ callback_events, callback_url, callbacks, ...of }: CallbackFacts): number => {
  if (callback_url === null || isFinished(of)) return 0
  const wants = (type: string) => callback_events === null || callback_events.includes(type)
  const had = (type: string) => callbacks.some((each) => each.type === type)
  const isStarted = of.status === "running" || of.status === "awaiting_input"
  const before = [
    ...(of.status === "pending" ? ["execution.queued"] : []),
    ...(isStarted ? [] : ["execution.started"])
  ]
  const first = before.filter((type) => wants(type) && !had(type)).length
  return first + ([...endEvents].some(wants) ? 1 : 0)
}

export const callbackMarks = (of: CallbackFacts) => {
  const delivered = of.callbacks.filter(({ state }) => state === "delivered").length
  const failed = of.callbacks.filter(
    ({ attempts, state }) =>
      state === "dead" || state === "cancelled" || (state === "pending" && attempts > 0)
  ).length
  return { delivered, failed, toCome: of.callbacks.length - delivered - failed + toCome(of) }
}
