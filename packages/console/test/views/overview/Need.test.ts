import type { Agent, Execution, Key, Receiver } from "@runhook/sdk/admin"
import { assert, describe, it } from "vitest"
import { needsOf } from "../../../src/views/overview/Need.ts"

const now = Date.parse("2026-11-22T02:00:00.000Z")
const later = (hours: number) => new Date(now + hours * 3_600_000).toISOString()

const receiver = (fields: Partial<Receiver>): Receiver => ({
  origin: "https://hooks.example.com",
  state: "failing",
  until: null,
  delivered_24h: 0,
  failed_24h: 9,
  waiting: 0,
  dead: 0,
  last_success_at: null,
  last_failure_at: later(-1),
  last_failure: { cause: "unauthorized", status: 401 },
  ...fields
})

const agent = (fields: Partial<Agent>): Agent => ({
  id: "agent",
  name: "Night batch",
  description: "",
  status: "offline",
  labels: {},
  capacity: 1,
  busy: 0,
  queued: 0,
  runners: 0,
  last_seen_at: null,
  created_at: later(-99),
  updated_at: later(-99),
  ...fields
})

const key = (fields: Partial<Key>): Key => ({
  id: "key",
  account_id: "account",
  name: "Staging",
  prefix: "Ab3dE6gH",
  allowed_task_ids: null,
  allowed_agent_ids: null,
  capabilities: null,
  expires_at: null,
  max_live: null,
  rate_limit: null,
  previous_expires_at: null,
  signing_secrets: [],
  revoked_at: null,
  last_used_at: null,
  last_used_from: null,
  created_at: later(-999),
  updated_at: later(-999),
  ...fields
})

const asking = (id: string, expires_at: string) => ({ id, input_request: { expires_at } }) as Execution

const nothing = { receivers: [], asking: [], agents: [], keys: [] }

describe("what needs somebody", () => {
  it("is nothing where all is well", () => {
    const known = {
      ...nothing,
      receivers: [
        receiver({ state: "healthy", dead: 3 }),
        receiver({}),
        receiver({ state: "paused", waiting: 4 })
      ],
      agents: [agent({ status: "online", queued: 9 }), agent({})],
      keys: [key({}), key({ expires_at: later(24) })]
    }

    assert.deepStrictEqual(needsOf(known, now), [])
  })

  it("comes worst first: receivers, questions, queues, keys", () => {
    const known = {
      receivers: [
        receiver({ origin: "few", waiting: 1 }),
        receiver({ origin: "many", state: "open", dead: 4, waiting: 9 })
      ],
      asking: [asking("later", later(2)), asking("sooner", later(1))],
      agents: [agent({ id: "some", queued: 1 }), agent({ id: "most", queued: 31 })],
      keys: [key({ expires_at: later(72), last_used_at: later(-3) })]
    }

    const found = needsOf(known, now).map((need) => {
      switch (need._tag) {
        case "Receiver":
          return `${need.receiver.origin}: ${need.word}`
        case "Input":
          return need.execution.id
        case "Unserved":
          return need.agent.id
        case "KeyEnds":
          return need.key.name
      }
    })

    assert.deepStrictEqual(found, [
      "many: Refuses the signature (401)",
      "few: Refuses the signature (401)",
      "sooner",
      "later",
      "most",
      "some",
      "Staging"
    ])
  })

  it("is no key that ends where nobody has used it lately, that is over, or that ends much later", () => {
    const keys = [
      key({ expires_at: later(72), last_used_at: later(-24 * 8) }),
      key({ expires_at: later(-1), last_used_at: later(-2) }),
      key({ expires_at: later(24 * 8), last_used_at: later(-2) }),
      key({ expires_at: later(72), last_used_at: later(-2), revoked_at: later(-1) })
    ]

    assert.deepStrictEqual(needsOf({ ...nothing, keys }, now), [])
  })
})
