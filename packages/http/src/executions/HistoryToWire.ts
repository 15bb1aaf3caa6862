/** What happened to executions and why they wait, from the domain to the wire. */
import {
  ExecutionExplained,
  ExecutionRescheduled,
  HistoryEventItem,
  type RescheduleBody
} from "@runhook/contract/executions/HistoryWire"
import { LogLineItem } from "@runhook/contract/executions/LogWire"
import type { LogLine } from "@runhook/core/runs/LogLine"
import type { Execution } from "@runhook/core/executions/Execution"
import type { Explanation } from "@runhook/core/executions/history/Explanation"
import type { ToldEvent } from "@runhook/core/executions/history/HistoryEvent"
import type { RescheduleRequest } from "@runhook/core/executions/RescheduleRequest"
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { type EventText, eventText } from "../documents/EventStream.ts"
import { writerOf } from "../encoding/JsonWriter.ts"
import { inDomainNames, showing } from "../shared/Names.ts"

export const eventItem = ({ at, attempt, data, sequence, status, type }: ToldEvent) =>
  ({ sequence, type, at, status, attempt, data }) satisfies typeof HistoryEventItem.Type

const writeEvent = writerOf(HistoryEventItem)

/** As a stream shows it. */
export const eventTextOf = (event: ToldEvent): EventText =>
  eventText({ id: `${event.sequence}`, event: event.type, data: writeEvent(eventItem(event)) })

export const lineItem = ({ at, attempt, level, message, sequence }: LogLine) =>
  ({ sequence, at, level, message, attempt }) satisfies typeof LogLineItem.Type

const writeLine = writerOf(LogLineItem)

export const lineTextOf = (line: LogLine): EventText =>
  eventText({ id: `${line.sequence}`, event: "line", data: writeLine(lineItem(line)) })

export const explained = (id: ExecutionId, explanation: Explanation) =>
  shownExplanation({ ...explanation, executionId: id })

const shownExplanation = showing(ExecutionExplained)<Explanation & { readonly executionId: ExecutionId }>({})

export const rescheduleRequest = (body: typeof RescheduleBody.Type): RescheduleRequest => inDomainNames(body)

export const rescheduled = showing(ExecutionRescheduled)<Execution>({ execution_id: ({ id }) => id })
