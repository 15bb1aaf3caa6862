import { Capability } from "@runhook/core/keys/ApiKeyRecord"
import { assert, describe, it } from "vitest"
import { bodyOf, draftOf } from "../../src/views/keys/KeyDraft.ts"
import { curlOf, envNameOf, envOf } from "../../src/views/keys/KeyHandout.ts"
import {
  capabilities,
  capabilitiesOf,
  capabilityWords,
  mayWords,
  scopeWords,
  stateOf
} from "../../src/views/keys/KeyWords.ts"

const now = Date.parse("2026-11-22T00:00:00.000Z")
const day = (days: number) => new Date(now + days * 86_400_000).toISOString()

describe("the state of a key", () => {
  it.each([
    { key: { expires_at: null, revoked_at: null }, state: "active" },
    { key: { expires_at: day(7), revoked_at: null }, state: "active" },
    { key: { expires_at: day(6.9), revoked_at: null }, state: "expiring" },
    { key: { expires_at: day(0), revoked_at: null }, state: "expired" },
    { key: { expires_at: day(-1), revoked_at: day(-2) }, state: "revoked" }
  ])("is $state", ({ key, state }) => {
    assert.strictEqual(stateOf(key, now), state)
  })
})

describe("what a key may use and do", () => {
  const known = [{ id: "a", name: "Carrier invoices" }]

  it.each([
    { ids: null, words: "All" },
    { ids: [], words: "None" },
    { ids: ["a"], words: "Carrier invoices" },
    { ids: ["gone"], words: "1 of the tasks" },
    { ids: ["a", "b"], words: "2 tasks" }
  ])("is said as $words", ({ ids, words }) => {
    assert.strictEqual(scopeWords(ids, { known, many: "tasks" }), words)
  })

  it("has words for every capability of the service", () => {
    assert.sameMembers([...capabilities], [...Capability.literals])
    assert.sameMembers(Object.keys(capabilityWords), [...Capability.literals])
  })

  it("is what the preset says", () => {
    const chosen = new Set(["webhooks:test", "executions:read"] as const)

    assert.isNull(capabilitiesOf("all", chosen))
    assert.deepStrictEqual(capabilitiesOf("read", chosen), [
      "executions:read",
      "artifacts:read",
      "catalog:read",
      "webhooks:read"
    ])
    assert.deepStrictEqual(capabilitiesOf("chosen", chosen), ["executions:read", "webhooks:test"])
  })

  it("is told shortly where that is enough", () => {
    assert.strictEqual(mayWords(null), "Full access")
    assert.strictEqual(mayWords([]), "Nothing")
    assert.strictEqual(mayWords(capabilitiesOf("read", new Set())), "Read only")
    assert.strictEqual(mayWords(["webhooks:test"]), "Send test webhooks")
  })
})

describe("the form of a key", () => {
  const key = {
    name: "Warehouse ERP",
    allowed_task_ids: ["a"],
    allowed_agent_ids: [],
    capabilities: ["executions:read", "webhooks:test"] as const,
    expires_at: "2027-01-05T09:30:00.000Z",
    max_live: 50,
    rate_limit: { per_second: 2, burst: 10 }
  }

  it("changes nothing that nobody touched, not even the hour of its end", () => {
    assert.deepStrictEqual(bodyOf(draftOf(key), now, key), { ...key, capabilities: [...key.capabilities] })
  })

  it("of a new key asks for everything and no limit", () => {
    assert.deepStrictEqual(bodyOf({ ...draftOf(), name: " Portal " }, now), {
      name: "Portal",
      allowed_task_ids: null,
      allowed_agent_ids: null,
      capabilities: null,
      expires_at: null,
      max_live: null,
      rate_limit: null
    })
  })

  it("lets a key end at the end of the chosen day, or in so many days", () => {
    const draft = { ...draftOf(key), day: "2027-02-01" }

    assert.strictEqual(bodyOf(draft, now, key).expires_at, new Date("2027-02-01T23:59:59").toISOString())
    assert.strictEqual(bodyOf({ ...draft, expiry: "30" }, now, key).expires_at, day(30))
    assert.isNull(bodyOf({ ...draft, expiry: "never" }, now, key).expires_at)
  })
})

describe("what is handed over", () => {
  const baseUrl = "https://runhook.example"

  it("has a line for each variable that is new", () => {
    assert.strictEqual(
      envOf({ key: "rhlive_a_b", signingSecret: "whsec_c=" }, baseUrl),
      "RUNHOOK_BASE_URL=https://runhook.example\nRUNHOOK_API_KEY=rhlive_a_b\nRUNHOOK_SIGNING_SECRET=whsec_c=\n"
    )
    assert.strictEqual(
      envOf({ signingSecret: "whsec_c=" }, baseUrl),
      "RUNHOOK_BASE_URL=https://runhook.example\nRUNHOOK_SIGNING_SECRET=whsec_c=\n"
    )
  })

  it.each([
    { name: "Warehouse ERP", file: "warehouse-erp.env" },
    { name: "../../etc/passwd", file: "etc-passwd.env" },
    { name: "倉庫", file: "runhook.env" }
  ])("is a file called $file", ({ file, name }) => {
    assert.strictEqual(envNameOf(name), file)
  })

  it.each([
    { may: null, path: "/tasks" },
    { may: ["executions:read"], path: "/executions" },
    { may: ["webhooks:read"], path: "/webhooks/deliveries" }
  ])("looks at $path with what a key may do", ({ may, path }) => {
    assert.strictEqual(
      curlOf("rhlive_a_b", { baseUrl, capabilities: may }),
      `curl 'https://runhook.example/api/v1/integrations${path}' \\\n  -H 'Authorization: Bearer rhlive_a_b'`
    )
  })
})
