import type { WebhookEndpoint } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { endpointName } from "../../../src/format/Choices.ts"
import { eventTypes, filterWords } from "../../../src/views/endpoints/EndpointWords.ts"

const endpoint: WebhookEndpoint = {
  id: "e",
  kind: "push",
  url: "https://hooks.example.com/all",
  description: "",
  event_types: null,
  task_ids: null,
  agent_ids: null,
  enabled: true,
  key_id: null,
  remove_after_seconds: null,
  previous_expires_at: null,
  created_at: "2026-11-26T00:00:00Z",
  updated_at: "2026-11-26T00:00:00Z"
}

describe("an endpoint", () => {
  it("is called by its description, or else by its URL or kind", () => {
    assert.strictEqual(endpointName({ ...endpoint, description: "All of ERP" }), "All of ERP")
    assert.strictEqual(endpointName(endpoint), "https://hooks.example.com/all")
    assert.strictEqual(endpointName({ ...endpoint, kind: "poll", url: null }), "Fetched events")
  })

  it("says which events it gets, of which tasks, on which agents", () => {
    assert.strictEqual(filterWords(endpoint), "All events")
    assert.strictEqual(
      filterWords({ ...endpoint, event_types: ["execution.failed"], task_ids: ["t", "u"], agent_ids: [] }),
      "failed of 2 tasks on 0 agents"
    )
  })

  it("can be told of all that happens to executions, and of no test", () => {
    assert.deepStrictEqual(
      [...eventTypes],
      [
        "execution.queued",
        "execution.started",
        "execution.completed",
        "execution.failed",
        "execution.aborted"
      ]
    )
  })
})
