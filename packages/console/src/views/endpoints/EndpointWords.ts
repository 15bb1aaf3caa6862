/** Standing endpoints in words. Pure. */
import { deliveryEventTypes, type KnownExecutionEventType, type WebhookEndpoint } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"

const isOfExecution = (type: string): type is KnownExecutionEventType => type.startsWith("execution.")

/** What endpoints can be told. */
export const eventTypes: ReadonlyArray<KnownExecutionEventType> = deliveryEventTypes.filter(isOfExecution)

/** `All events`, or which of them, of which tasks, on which agents. */
export const filterWords = ({ agent_ids, event_types, task_ids }: WebhookEndpoint): string =>
  [
    event_types === null
      ? "All events"
      : event_types.map((type) => type.replace("execution.", "")).join(", "),
    task_ids === null ? "" : `of ${countOf(task_ids.length, "task")}`,
    agent_ids === null ? "" : `on ${countOf(agent_ids.length, "agent")}`
  ]
    .filter(Boolean)
    .join(" ")
