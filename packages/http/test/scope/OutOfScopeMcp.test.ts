/** What a key can do by the Model Context Protocol about work that its tasks or agents do not cover: nothing. */
import { assert, describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ownTools } from "../../src/mcp/Tools.ts"
import { test } from "../Service.ts"
import { foreignCall, makeOutsider, type Outsider } from "./Outsider.ts"

const headers = {
  accept: "application/json, text/event-stream",
  "mcp-session-id": foreignCall.session
}

const toolCall = (name: string, given: object, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: given, ...more }
})

/** A client without a session, which brings back what an earlier try of the call was told. */
const statelessly = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} }
  }
}

const accepted = { action: "accept", content: { value: "1234" } }

const changingTools = ownTools.filter((tool) => !("readOnlyHint" in (tool.annotations ?? {})))

const ofTools: Readonly<Record<string, (outsider: Outsider) => ReadonlyArray<object>>> = {
  answer_execution: ({ ids }) => [{ execution_id: ids.asking, value: "1234" }],
  cancel_execution: ({ ids }) => [ids.asking, ids.queued, ids.waiting].map((each) => ({ execution_id: each }))
}

describe.each(["task", "agent"] as const)("A key that may not use the %s of some work", (lacking) => {
  test("changes nothing about it by MCP: no tool, no answer, no cancel, no call that goes on", function* () {
    const outsider = yield* makeOutsider(lacking)
    const { ids, otherTask, seen, send } = outsider
    const before = yield* seen
    assert.sameMembers(
      changingTools.map(({ name }) => name),
      Object.keys(ofTools)
    )
    const messages = [
      ...Object.entries(ofTools).flatMap(([name, argumentsOf]) =>
        argumentsOf(outsider).map((given) => toolCall(name, given))
      ),
      ...[ids.asking, ids.queued, ids.waiting].map((requestState) =>
        toolCall(otherTask.slug, {}, { ...statelessly, requestState, inputResponses: {} })
      ),
      toolCall(
        otherTask.slug,
        {},
        { ...statelessly, requestState: ids.asking, inputResponses: { [ids.input]: accepted } }
      ),
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: foreignCall.id } },
      { jsonrpc: "2.0", id: `input:${ids.asking}:${ids.input}`, result: accepted }
    ]

    for (const body of messages) {
      const answer = yield* send("POST", "/mcp", { body, headers })
      const said = yield* Effect.promise(() => answer.text())
      assert.match(said, /\\?"code\\?":\\?"forbidden\\?".*\\?"reason\\?":\\?"scope\\?"/, JSON.stringify(body))
    }

    assert.deepStrictEqual(yield* seen, before)
  })
})

describe("A call that goes on", () => {
  test("is one of the tool that is called", function* () {
    const { ids, otherTask, send, tenantKey } = yield* makeOutsider("task")
    const body = toolCall(
      otherTask.slug,
      {},
      { ...statelessly, requestState: ids.queued, inputResponses: {} }
    )

    const answer = yield* send("POST", "/mcp", { body, headers, key: tenantKey })

    const said = yield* Effect.promise(() => answer.text())
    assert.include(said, "body.requestState: must be an execution of this tool")
  })
})
