import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import type { CreateExecution } from "../../src/executions/create/CreateExecution.ts"
import { AgentId, TaskId } from "../../src/shared/Ids.ts"
import { StoredJson } from "../../src/shared/json/StoredJson.ts"
import { createFingerprint, outcomeFingerprint } from "../../src/signing/RequestFingerprint.ts"

const least: CreateExecution = {
  agentId: AgentId.make("0190a8f0-0000-7000-8000-00000000000a"),
  taskId: TaskId.make("0190a8f0-0000-7000-8000-00000000000b"),
  taskVersionId: undefined,
  version: undefined,
  v: undefined,
  params: {},
  reference: null,
  metadata: {},
  callbackUrl: null,
  callbackEvents: null,
  scheduledAt: null,
  priority: 0,
  isHeld: false,
  expiresAt: null,
  timeoutSeconds: null,
  concurrency: null
}

const most: CreateExecution = {
  ...least,
  version: { _tag: "ByTag", name: "stable" },
  v: 3,
  params: { copies: 2, colour: null },
  reference: "order-1",
  metadata: { for: "Ada" },
  callbackUrl: "https://receiver.example.com/hook",
  callbackEvents: ["execution.completed"],
  scheduledAt: DateTime.makeUnsafe("2030-01-01T00:00:00.000Z"),
  priority: -5,
  isHeld: true,
  expiresAt: DateTime.makeUnsafe("2030-01-02T00:00:00.000Z"),
  timeoutSeconds: 60
}

describe("createFingerprint", () => {
  // They are stored: whoever changes one of them answers 409 to the retries of requests that were accepted before.
  it.each([
    ["the least", least, "1:ab06752fd7830729b05edce9f718dbaaba03701f44b89cedde0ceefe025355a7"],
    ["the most", most, "1:14d928e03b268d45d3b95914c91fd2ef19ce1ae88009a1c460614ef6ad7fddb0"]
  ] as const)("of %s that can be said never changes", (_, request, expected) => {
    assert.strictEqual(createFingerprint(request), expected)
  })

  it("knows nothing of a field that a later version adds, when nothing is said of it", () => {
    const [later, undefinedLater] = [
      { ...most, region: null },
      { ...most, region: undefined }
    ]

    assert.deepStrictEqual([later, undefinedLater].map(createFingerprint), [
      createFingerprint(most),
      createFingerprint(most)
    ])
  })

  it("differs by each thing that is said", () => {
    const said = Object.entries(most)
      .slice(2)
      .filter(([, value]) => value !== undefined)
    const others = said.map(([name, value]) => createFingerprint({ ...least, [name]: value }))

    assert.strictEqual(new Set([createFingerprint(least), ...others]).size, 13)
  })
})

describe("outcomeFingerprint", () => {
  it.each([
    [
      { _tag: "Completed", result: null },
      "1:bafa361ef7c1899e8b667910aa81dc7f1cb264ba4e21c87e64323c6119b9ceaf"
    ],
    [
      { _tag: "Completed", result: StoredJson.of({ pages: 1 }) },
      "1:1d43fe169668563a56fe0edf3992d3897a0779fc88f49ce281d5520fada3c150"
    ],
    [
      { _tag: "Failed", message: "out of paper", isRetryable: false },
      "1:2b3430ce2edb3c68393eb8be08fd06a9158782ac58790f4eecd9222b31792951"
    ],
    [
      { _tag: "Failed", message: "out of paper", isRetryable: true },
      "1:e3a83398eb5cb2c502dbbdedb4128fba9189d4d6cd0cdd40eb693022a88b223b"
    ],
    [
      { _tag: "Cancelled", reason: null },
      "1:64496849d5b981c1e621b0b916057b34cf1727edf9ee0835f5bdcbd0721b475b"
    ]
  ] as const)("of %j never changes", (outcome, expected) => {
    assert.strictEqual(outcomeFingerprint(outcome), expected)
  })
})
