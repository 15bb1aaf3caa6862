/** The ids, moments and texts of one story, which all examples tell: Acme downloads an invoice. */
export const ids = {
  account: "019bb138-1000-752e-9651-0c5ca6a3a450",
  apiKey: "019bb13c-a3e0-7128-85d9-0ed99531985d",
  runnerKey: "019bb13d-8e40-7e8e-9099-6f031600a35a",
  agent: "019bb141-37c0-76b0-83d9-8d111738f7d9",
  platform: "019bb145-cba0-70cb-90be-dbc48e81973e",
  task: "019bb14a-5f80-76ca-8d3a-1fb190c192cf",
  version: "019c7a7d-f100-7f28-9a17-953fa09f76b5",
  consoleSession: "019cad60-7f48-7b5a-8f0e-3f7d1c9ab2e4",
  consoleLink: "019cad5f-9c80-7d41-b2a6-5e8f0c7a1d93",
  person: "019bb139-e4c0-7c1f-8a52-2d9f6b3e7041",
  session: "019cad58-bd80-7101-89e7-7f1534b9b5df",
  execution: "019cade2-11c0-7221-a6b4-8a6a24ede6a4",
  otherExecution: "019cade2-15a8-7d2b-8c3e-6b0f9a417e52",
  input: "019cade2-2160-71e2-a8f6-ae97d0eda82f",
  file: "019cade2-34e8-72e4-894e-a38f923a7369",
  video: "019cade2-38d0-7301-a18f-b64c8c38fb29",
  event: "019cade2-40a0-7ae2-bc6f-7731506bf2ef",
  schedule: "019bb150-2c40-7a1f-9d3b-5e8c7a6b4f20",
  endpoint: "019cae33-2a00-7b52-8d1e-4c6f7a8b9c0d",
  alertTarget: "019cae33-1e00-7c41-9f0e-3a6b5c7d8e9f",
  replay: "019cae34-7780-795e-b5c9-3f984cbd87ad",
  auditEntry: "019cae34-7780-7b1c-9f02-6a7d1f5c0e31"
}

export const times = {
  setUp: "2026-01-12T08:00:00.000Z",
  published: "2026-02-20T10:00:00.000Z",
  queued: "2026-03-02T09:30:00.000Z",
  started: "2026-03-02T09:30:01.204Z",
  asked: "2026-03-02T09:30:04.000Z",
  answered: "2026-03-02T09:30:07.512Z",
  stopped: "2026-03-02T09:30:12.000Z",
  delivered: "2026-03-02T09:30:12.310Z",
  tomorrow: "2026-03-03T09:30:00.000Z",
  replayed: "2026-03-02T11:00:00.000Z"
}

export const requestId = "req_0mk2x8c1q7"

export const service = "https://runhook.example.com"
export const origin = "https://hooks.example.com"
export const fileUrl = (api: string): string =>
  `${service}/api/v1/${api}/executions/${ids.execution}/files/${ids.file}`
export const callback = JSON.stringify({
  event_id: ids.event,
  type: "execution.completed",
  reference: "order-1234"
})
export const paramsSchema = {
  type: "object",
  required: ["invoice"],
  properties: { invoice: { type: "string" }, copies: { type: "integer", minimum: 1, default: 1 } },
  additionalProperties: false
}
