/** The names that the contract does not give, since the documents of the APIs need none. */
import type { ApiName } from "./Spoken.ts"

/** A name, and what is said of it where the contract says nothing. */
export type Named = readonly [name: string, description?: string]

/** Schemas that stand in one place of an API. */
export const namesOfPlaces: { readonly [Name in ApiName]: Readonly<Record<string, Named>> } = {
  Integration: {
    "executions.list query": [
      "ExecutionFilter",
      "Which executions a list wants; all of the account unless given."
    ],
    "executions.events query": [
      "HistoryQuery",
      "Which changes of an execution, and how long to wait for one."
    ],
    "tasks.list query": ["TaskFilter", "Which tasks a list wants."],
    "tasks.paramsSchema query": ["VersionQuery", "Which version of a task; the current one unless given."],
    "agents.list query": ["PageQuery", "What chooses a page of a list."],
    "webhooks.list query": ["DeliveryFilter", "What a list of deliveries is narrowed down by."],
    "endpoints.messages query": [
      "FetchMessages",
      "How many messages to fetch, and how many seconds to wait for the first."
    ]
  },
  Admin: {
    "executions.list query": [
      "AdminExecutionFilter",
      "What a list of the executions of an account is narrowed down by."
    ],
    "deliveries.list query": [
      "AdminDeliveryFilter",
      "What a list of the deliveries of an account is narrowed down by."
    ],
    "audit.list query": ["AuditFilter", "Which changes of an account, by whom."],
    "usage.counted query": ["UsageQuery", "What is counted, and over which time."],
    "usage.receivers query": ["ReceiverQuery", "How many receivers a list shows."],
    "changes.follow change": ["ChangedThing", "A thing changed: fetch it, if you show it."],
    "changes.follow many": [
      "ChangedThings",
      "Some things of these kinds changed, too many to name: fetch what you show of them."
    ]
  },
  Runner: {}
}

/** What callers know under another name than the documents. */
export const otherNames: Readonly<Record<string, string>> = {
  ExecutionReleased: "ExecutionMoved",
  Usage: "UsageReport",
  InFlight: "LeaseRef",
  SessionOpened: "Session"
}

/** Words and objects within others, by the field where they are first met. */
export const namesOfFields: Readonly<Record<string, Named>> = {
  "Execution.status": ["KnownExecutionStatus"],
  "CreateExecution.callback_events": ["KnownExecutionEventType"],
  "EvidenceFile.kind": ["ArtifactKind"],
  "ExecutionEvent.execution": ["EventExecution", "An execution as it was when its event occurred."],
  "ExecutionHistoryEvent.type": ["KnownHistoryEventType"],
  "InputRequest.mode": ["InputMode"],
  "InputRequest.on_timeout": ["InputTimeout"],
  "ExecutionExplained.state": ["KnownWaitState"],
  "ExecutionBlock.kind": ["KnownBlockKind"],
  "Agent.status": ["KnownAgentStatus"],
  "Delivery.type": ["KnownDeliveryEventType"],
  "Delivery.state": ["KnownDeliveryState"],
  "Delivery.waiting_for": ["KnownWaitingFor"],
  "Delivery.last_cause": [
    "KnownDeliveryCause",
    "Why the latest attempt failed; `expired`: given up without an attempt."
  ],
  "DeliveryFilter.answer": [
    "KnownAnswerClass",
    "What the latest attempt was answered; `none` when it failed without an answer."
  ],
  "DeliveryAttempt.timings_ms": [
    "AttemptTimings",
    "How long the parts of an attempt took, in milliseconds; null for what it did not come to or did not need."
  ],
  "DeliveryAttempt.phase": ["KnownAttemptPhase"],
  "DeliveryAttempt.cause": [
    "KnownAttemptCause",
    "Why an attempt failed: by the status of the answer, or by what kept it from being one."
  ],
  "ReplayDeliveries.status": ["KnownReplayableState"],
  "CancelJob.status": ["KnownJobStatus"],
  "Me.capabilities": ["KnownCapability"],
  "SigningSecret.state": ["KnownSigningSecretState"],
  "UpdateAgent.state": [
    "KnownAgentState",
    "`paused` accepts executions and runs none; `disabled` accepts none either."
  ],
  "SessionAccount.role": ["Role", "A viewer looks, an admin changes as well."],
  "AuditActor.kind": ["KnownActorKind"],
  "AuditFilter.kind": ["AuditSubjectKind"],
  "ChangedThing.kind": ["ChangedKind"],
  "UsageReport.by": ["UsageSpan"],
  "UsageReport.group": ["UsageGroup"],
  "Receiver.state": ["KnownReceiverState"],
  "Session.agents": ["ServedAgent"],
  "Claim.task": ["TaskRef"],
  "Heartbeat.beats": ["Beat"],
  "RefusedCreate.code": ["KnownErrorCode"]
}
