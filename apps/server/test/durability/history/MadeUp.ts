/** A history of one execution in which all is well, to be spoilt. */
import type {
  Cancelled,
  Created,
  Entry,
  Final,
  History,
  Receipt,
  Requested,
  Sighting,
  Written
} from "./History.ts"

const executionId = "e1"

export const created: Created = {
  is: "created",
  executionId,
  idempotencyKey: "k1",
  reference: "r1",
  body: "{}",
  sentAt: 0,
  at: 1
}

export const receipt = (type: string, at: number): Receipt => ({
  is: "receipt",
  executionId,
  eventId: type,
  type: `execution.${type}`,
  sha256: type,
  answer: "taken",
  at
})

export const written = (verb: Written["verb"], epoch: number, at: number): Written => ({
  is: "written",
  executionId,
  epoch,
  verb,
  accepted: true,
  sentAt: at - 1,
  at
})

export const completed = (epoch: number, at: number): Written => ({
  ...written("complete", epoch, at),
  outcome: { status: "completed", result: '{"answer":"42"}' }
})

export const final: Final = {
  is: "final",
  executionId,
  reference: "r1",
  status: "completed",
  result: '{"answer":"42"}',
  hasStarted: true
}

export const sighting = (status: Sighting["status"], at: number): Sighting => ({
  is: "sighting",
  executionId,
  status,
  attempt: status === "queued" ? 0 : 1,
  result: status === "completed" ? final.result : "null",
  sentAt: at - 1,
  at
})

export const cancelled = (status: Cancelled["status"], at: number): Cancelled => ({
  is: "cancelled",
  executionId,
  status,
  sentAt: at - 1,
  at
})

export const requested: Requested = {
  is: "requested",
  call: "POST /integrations/executions",
  life: "http://127.0.0.1:1",
  sentAt: 0,
  at: 1,
  wait: 0,
  outcome: 201
}

const file = { executionId, fileId: "f1", sha256: "abc" }

export const wellDone: History = [
  requested,
  created,
  receipt("queued", 3),
  sighting("queued", 4),
  { is: "claimed", executionId, epoch: 1, at: 5 },
  written("start", 1, 6),
  receipt("started", 7),
  sighting("running", 9),
  { is: "answered", executionId, value: "42", at: 10 },
  { is: "stored", ...file },
  completed(1, 12),
  receipt("completed", 13),
  sighting("completed", 15),
  { is: "fetched", ...file },
  final
]

/** Without the entries that it says yes to. */
export const without = (isMissing: (entry: Entry) => boolean): History =>
  wellDone.filter((entry) => !isMissing(entry))

/** With another in the place of an entry. */
export const replacing = (entry: Entry, by: Entry): History =>
  wellDone.map((each) => (JSON.stringify(each) === JSON.stringify(entry) ? by : each))
