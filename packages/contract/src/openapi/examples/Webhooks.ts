/** Callbacks, their deliveries, and replays. */
import {
  AdminTestWebhookBody,
  DeadLetterList,
  DeliveryDetail,
  DeliveryItem,
  DeliveryReplayed,
  DeliveryTried,
  SignedCommand,
  TestWebhookBody,
  TestWebhookQueued
} from "../../wire/DeliveryWire.ts"
import { AdminReplayBody, ReplayBody, ReplayDetail, ReplayItem, WouldReplay } from "../../wire/ReplayWire.ts"
import { ExecutionEvent, TestEvent } from "../../wire/WebhookWire.ts"
import { exampleOf, pageExample } from "./Example.ts"
import { callbackUrl, ids, metadata, reference, requestId, result, times } from "./Names.ts"

const event = {
  event_id: ids.event,
  type: "execution.completed",
  occurred_at: times.stopped,
  request_id: requestId,
  reference,
  metadata,
  execution: {
    id: ids.execution,
    account_id: ids.account,
    agent_id: ids.agent,
    task_id: ids.task,
    task_version_id: ids.version,
    status: "completed",
    result,
    error_message: null,
    started_at: times.started,
    stopped_at: times.stopped,
    created_at: times.queued,
    updated_at: times.stopped
  }
} as const

const delivery = {
  id: ids.event,
  event_id: ids.event,
  type: "execution.completed",
  state: "delivered",
  callback_url: callbackUrl,
  execution_id: ids.execution,
  key_id: ids.apiKey,
  reference,
  attempts: 1,
  round: 1,
  waiting_for: null,
  next_attempt_at: null,
  expires_at: "2026-03-05T09:30:12.000Z",
  last_status: 200,
  last_error: null,
  last_cause: null,
  created_at: times.stopped,
  settled_at: times.delivered
} as const

const body = JSON.stringify(event)

const attempt = {
  round: 1,
  number: 1,
  started_at: "2026-03-02T09:30:12.105Z",
  duration_ms: 205,
  timings_ms: { dns: 12, connect: 31, tls: 64, headers: 95, body: 3 },
  phase: "done",
  error: null,
  cause: null,
  remote_address: "203.0.113.7",
  request: {
    headers: {
      "content-type": "application/json",
      "x-webhook-attempt": "1",
      "x-webhook-event-id": ids.event,
      "x-webhook-signature": "<hex>",
      "x-webhook-timestamp": "1772443812"
    },
    body
  },
  response: { status: 200, headers: { "content-length": "2" }, body: "ok", truncated: false }
} as const

const replay = {
  id: ids.replay,
  status: "completed",
  expected: 42,
  replayed: 42,
  delivered: 40,
  failed: 1,
  waiting: 1,
  filter: {
    status: ["dead"],
    type: null,
    execution_id: null,
    key_id: null,
    answer: "4xx",
    cause: null,
    url_origin: null,
    q: null,
    from: times.queued,
    to: null,
    ids: null,
    last_only: false
  },
  created_at: times.replayed,
  updated_at: times.replayEnd,
  finished_at: times.replayEnd
} as const

export const webhookExamples = [
  exampleOf(ExecutionEvent, event),
  exampleOf(TestEvent, {
    event_id: ids.event,
    type: "webhook.test",
    occurred_at: times.stopped,
    request_id: requestId,
    reference: "webhook-test",
    metadata: {},
    execution: null,
    message: "This is a test webhook. Your endpoint is reachable."
  }),

  exampleOf(TestWebhookBody, { callback_url: callbackUrl }),
  exampleOf(AdminTestWebhookBody, { callback_url: callbackUrl, key_id: ids.apiKey }),
  exampleOf(TestWebhookQueued, {
    event_id: ids.event,
    delivery_id: ids.event,
    status: "queued",
    callback_url: callbackUrl,
    request_id: requestId
  }),
  pageExample("DeliveryPage", DeliveryItem, [delivery]),
  exampleOf(DeliveryDetail, { ...delivery, payload: body, attempts_log: [attempt], request_id: requestId }),
  exampleOf(DeadLetterList, {
    data: [
      {
        origin: "https://hooks.example.com",
        cause: "unauthorized",
        dead: 211,
        is_more: false,
        oldest_at: times.queued,
        newest_at: times.stopped,
        types: { "execution.completed": 180, "execution.failed": 31 }
      }
    ],
    is_more: false,
    request_id: requestId
  }),
  exampleOf(DeliveryReplayed, { id: ids.event, state: "pending", round: 2, request_id: requestId }),

  exampleOf(DeliveryTried, {
    id: ids.event,
    state: "pending",
    round: 1,
    attempts: 3,
    next_attempt_at: times.replayed,
    request_id: requestId
  }),
  exampleOf(SignedCommand, {
    command: `printf '%s' '{}' | curl --silent --show-error --include --globoff '${callbackUrl}' --data-binary @-`,
    expires_at: times.replayed,
    request_id: requestId
  }),

  exampleOf(ReplayBody, { status: ["dead"], answer: "4xx", from: times.queued }),
  exampleOf(AdminReplayBody, {
    status: ["dead"],
    cause: "unauthorized",
    url_origin: "https://hooks.example.com",
    key_id: ids.apiKey
  }),
  exampleOf(WouldReplay, {
    would_replay: 42,
    is_more: false,
    origins: [{ origin: new URL(callbackUrl).origin, count: 42 }],
    types: { "execution.completed": 30, "execution.failed": 12 },
    oldest_at: times.queued,
    newest_at: times.stopped,
    request_id: requestId
  }),
  pageExample("ReplayPage", ReplayItem, [replay]),
  exampleOf(ReplayDetail, { ...replay, request_id: requestId })
]
