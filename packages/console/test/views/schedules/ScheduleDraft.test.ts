import type { Schedule } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { bodyOf, changesOf, draftOf } from "../../../src/views/schedules/ScheduleDraft.ts"

const known: Schedule = {
  id: "s",
  name: "Bills",
  key_id: "k",
  cron: null,
  time_zone: null,
  every_seconds: 600,
  starts_at: "2026-11-26T00:00:30Z",
  ends_at: null,
  overlap: "skip",
  missed: "all",
  jitter_seconds: 5,
  enabled: true,
  execution: {
    agent_id: "a",
    task_id: "t",
    params: { carrier: "tern" },
    metadata: { team: "night" },
    callback_url: null,
    callback_events: ["execution.failed"],
    priority: 7,
    hold: false,
    timeout_seconds: null,
    concurrency_key: "portal",
    concurrency_limit: 2,
    concurrency_policy: "reject"
  },
  next_at: [],
  last: null,
  created_at: "2026-11-26T00:00:00Z",
  updated_at: "2026-11-26T00:00:00Z"
}

describe("the form of a schedule", () => {
  it("keeps what it has no field for, and the times that nobody changed", () => {
    const body = bodyOf({ ...draftOf(known, "UTC"), name: "Bills of all" }, { carrier: "kestrel" }, known)

    assert.deepEqual<object>(body.execution, { ...known.execution, params: { carrier: "kestrel" } })
    assert.notProperty(body, "every_seconds")
    assert.notProperty(body, "cron")
    assert.notProperty(body, "starts_at")
    assert.deepInclude(body, { name: "Bills of all", overlap: "skip", missed: "all", jitter_seconds: 5 })
  })

  it("sends what it creates only where that was changed", () => {
    const draft = { ...draftOf(known, "UTC"), name: "Bills of all" }

    assert.notProperty(changesOf(draft, known.execution.params, known), "execution")
    assert.deepInclude(changesOf(draft, { carrier: "kestrel" }, known).execution, {
      params: { carrier: "kestrel" }
    })
    assert.property(changesOf({ ...draft, agent: "b" }, known.execution.params, known), "execution")
  })

  it("gives other times as they were typed", () => {
    const draft = { ...draftOf(known, "UTC"), by: "cron", cron: " 0 9 * * * ", zone: "Europe/Berlin" }

    assert.deepInclude(bodyOf(draft, undefined, known), { cron: "0 9 * * *", time_zone: "Europe/Berlin" })
    assert.deepInclude(bodyOf({ ...draftOf(known, "UTC"), every: "60" }, undefined, known), {
      every_seconds: 60
    })
    assert.deepInclude(bodyOf({ ...draftOf(known, "UTC"), starts: "" }, undefined, known), {
      starts_at: null
    })
  })
})
