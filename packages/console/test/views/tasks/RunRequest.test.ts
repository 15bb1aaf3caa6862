import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { bodyOf, codeOf, curlOf, type RunForm } from "../../../src/views/tasks/RunRequest.ts"

const form: RunForm = {
  taskId: "task-1",
  versionId: "",
  agentId: "agent-1",
  keyId: "key-1",
  params: { carrier: "kestrel's" },
  callbackUrl: "",
  reference: "",
  priority: " ",
  notBefore: ""
}

describe("the request of the run form", () => {
  it("leaves out what was left empty", () => {
    assert.deepStrictEqual(bodyOf(form), {
      key_id: "key-1",
      agent_id: "agent-1",
      task_id: "task-1",
      params: { carrier: "kestrel's" }
    })
  })

  it("has all that was given, and the start as an instant", () => {
    const body = bodyOf({
      ...form,
      versionId: "version-7",
      params: undefined,
      callbackUrl: "https://hooks.example.com/in",
      reference: "INV-1",
      priority: "5",
      notBefore: "2026-11-22T08:00"
    })

    assert.deepStrictEqual(body, {
      key_id: "key-1",
      agent_id: "agent-1",
      task_id: "task-1",
      task_version_id: "version-7",
      callback_url: "https://hooks.example.com/in",
      reference: "INV-1",
      priority: 5,
      scheduled_at: new Date("2026-11-22T08:00").toISOString()
    })
  })

  it("as a command is one that a shell reads as it was meant, quotes and all", () => {
    const shown = curlOf(form, "https://runhook.example.com").replace(/^curl/, `printf '%s\\n'`)

    const words = execFileSync("sh", ["-c", shown], { env: { RUNHOOK_API_KEY: "the-key" }, encoding: "utf8" })

    assert.include(words, "Authorization: Bearer the-key")
    assert.include(words, `"carrier": "kestrel's"`)
    assert.notInclude(words, "key_id")
  })

  it("as code names no key", () => {
    const code = codeOf(form, "https://runhook.example.com")

    assert.include(code, `baseUrl: "https://runhook.example.com"`)
    assert.include(code, `"carrier": "kestrel's"`)
    assert.notInclude(code, "key_id")
  })
})
