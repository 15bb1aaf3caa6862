/** Which items of a batch are sent again, and when. */
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import { hangUp, json, refusal } from "../RawServer.ts"
import type { Scenario } from "./Scenario.ts"

type ItemAnswer = number | readonly [status: number, retryAfterSeconds: unknown]

/** The answer to a batch, with these statuses, and the time that a refused item names. */
const answers = (...told: ReadonlyArray<ItemAnswer>): Answer =>
  json(200, {
    data: told.map((each, index) => {
      const [status, retry_after_seconds] = typeof each === "number" ? [each, undefined] : each
      const error = {
        code: status === 429 ? "rate_limited" : "invalid_request",
        message: "refused",
        details: retry_after_seconds === undefined ? null : { retry_after_seconds },
        request_id: "req_1"
      }
      return status < 300
        ? { index, status, execution: { execution_id: "e-1", status: "queued", request_id: "req_1" } }
        : { index, status, error }
    }),
    request_id: "req_1"
  })

const batch = {
  call: ({ executions }: Parameters<Scenario["call"]>[0]) =>
    executions
      .createBatch([1, 2, 3].map((place) => ({ agent_id: "a-1", task_id: `t-${place}` })))
      .then(({ data }) => data.map(({ status }) => status)),
  python:
    "executions.create_batch([{'agent_id': 'a-1', 'task_id': f't-{place}'} for place in (1, 2, 3)]).data[status]",
  go: `client.Executions.CreateBatch(ctx, []BatchItem{${[1, 2, 3].map((place) => `{AgentID: "a-1", TaskID: "t-${place}"}`).join(", ")}}).data[status]`
}

const hour = 3_600_000

export const batches: ReadonlyArray<Scenario> = [
  {
    title: "sends the refused items of a batch again after the time that the last of them names",
    ...batch,
    answers: [answers([429, 2], 201, [429, 7]), answers(201, 200)],
    ends: { value: [201, 201, 200], requests: 2, pauses: [7_250] }
  },
  {
    title: "sends items of a batch again that are still refused, three times at most",
    ...batch,
    answers: [answers([429, 1], 201, [429, 1]), answers(201, [429, 1]), answers([429, 1])],
    ends: { value: [201, 201, 429], requests: 4, pauses: [1_250, 1_500, 2_000] }
  },
  {
    title: "sends failed items of a batch again as it would a create",
    ...batch,
    answers: [answers(503, 201, 500), answers(201, 201)],
    ends: { value: [201, 201, 201], requests: 2, pauses: [250] }
  },
  {
    title: "leaves items of a batch that are refused for good",
    ...batch,
    answers: [answers(422, 409, 403)],
    ends: { value: [422, 409, 403], requests: 1, pauses: [] }
  },
  {
    title: "sends no item of a batch again without retries",
    ...batch,
    answers: [answers(201, 201, [429, 1])],
    limits: { retries: 0 },
    ends: { value: [201, 201, 429], requests: 1, pauses: [] }
  },
  {
    title: "sends only those items of a batch again whose time comes before the end of the call",
    ...batch,
    answers: [answers([429, 5], [429, 60], [429, 9_999_999_999]), answers(201)],
    limits: { timeoutMs: 20_000 },
    ends: { value: [201, 429, 429], requests: 2, pauses: [5_250] }
  },
  {
    title: "waits an hour at most for an item of a batch",
    ...batch,
    answers: [answers(201, 201, [429, 9_999_999_999]), answers(201)],
    limits: { timeoutMs: 10 * hour },
    ends: { value: [201, 201, 201], requests: 2, pauses: [hour + 250] }
  },
  ...[-5, "soon", null, {}].map((time) => ({
    title: `pauses as always for an item of a batch that names ${JSON.stringify(time)}`,
    ...batch,
    answers: [answers(201, [429, time], 201), answers(201)],
    ends: { value: [201, 201, 201], requests: 2, pauses: [250] }
  })),
  {
    title: "gives the answers of a batch when the service takes no more of it",
    ...batch,
    answers: [answers(201, [429, 1], 201), refusal(429, "rate_limited")],
    ends: { value: [201, 429, 201], requests: 5 }
  },
  {
    title: "fails when it is unknown what became of items that were sent again",
    ...batch,
    answers: [answers(201, [429, 1], 201), hangUp],
    limits: { retries: 1 },
    ends: { error: "ConnectionError" }
  }
]
