import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { curlOf, inboxOf } from "../../../src/views/overview/FirstCall.ts"

const origin = "https://runhook.example.com"

const call = {
  agentId: "019bb141-37c0-76b0-83d9-8d111738f7d9",
  taskId: "019bb14a-5f80-76ca-8d3a-1fb190c192cf",
  callbackUrl: ""
}

/** The words of a command, as a shell hands them on. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  execFileSync(
    "sh",
    ["-c", `for word in ${command.replaceAll("\\\n", "")}; do printf '%s\\0' "$word"; done`],
    {
      env: { RUNHOOK_API_KEY: "rhlive_key" }
    }
  )
    .toString()
    .split("\0")
    .slice(0, -1)

describe("the first call", () => {
  it("is a command that a shell understands, whatever the URL holds", () => {
    const callbackUrl = "https://erp.example.com/it's?a=$HOME&b=`id`"

    const words = wordsOf(curlOf({ ...call, callbackUrl }, origin))

    assert.deepStrictEqual(words.slice(0, 3), [
      "curl",
      "-sS",
      "https://runhook.example.com/api/v1/integrations/executions"
    ])
    assert.include(words, "Authorization: Bearer rhlive_key")
    assert.deepStrictEqual(JSON.parse(words.at(-1) ?? ""), {
      agent_id: call.agentId,
      task_id: call.taskId,
      reference: "first-run",
      callback_url: callbackUrl
    })
  })

  it("names no callback where none is wanted", () => {
    assert.notInclude(curlOf({ ...call, callbackUrl: "  " }, origin), "callback_url")
  })

  it("has the inbox of development mode where the service is on this machine", () => {
    assert.strictEqual(inboxOf("http://127.0.0.1:8700"), "http://127.0.0.1:8700/demo/inbox")
    assert.strictEqual(inboxOf("http://localhost:8700"), "http://localhost:8700/demo/inbox")
    assert.strictEqual(inboxOf("https://runhook.example.com"), "")
  })
})
