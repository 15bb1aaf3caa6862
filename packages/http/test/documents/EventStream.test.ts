import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AnswersUnderWay, LargeAnswers, type Owner } from "../../src/limits/LargeAnswers.ts"
import { makeBrowser } from "../Browser.ts"
import { Host, service } from "../Service.ts"
import { someWork, type Work } from "../Tenant.ts"

/** Knows what each owner was counted. */
class CountedAnswers extends LargeAnswers {
  readonly bytes = new Map<Owner, number>()

  override turnOf(owner: Owner, bytes: number, now: number): number {
    this.bytes.set(owner, (this.bytes.get(owner) ?? 0) + bytes)
    return super.turnOf(owner, bytes, now)
  }
}

const asKey = ({ key }: Work) => ({ authorization: `Bearer ${key.key}`, accept: "text/event-stream" })

const ofExecution = (what: string) =>
  Effect.fnUntraced(function* (work: Work) {
    const host = yield* Host
    return yield* host(`/api/v1/integrations/executions/${work.execution.id}/${what}`, {
      headers: asKey(work)
    })
  })

/** A call of a tool that follows an execution. */
const toolCall = Effect.fnUntraced(function* (work: Work) {
  const host = yield* Host
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: "\u00e9".repeat(255),
    method: "tools/call",
    params: {
      name: "get_execution",
      arguments: { execution_id: work.execution.id },
      _meta: { progressToken: "\u00e9".repeat(255) }
    }
  })
  const headers = {
    ...asKey(work),
    accept: "application/json, text/event-stream",
    "content-type": "application/json"
  }
  return yield* host("/mcp", { method: "POST", body, headers })
})

const changes = Effect.fnUntraced(function* ({ account }: Work) {
  const browser = yield* makeBrowser(account.id, { role: "viewer" })
  const answer = yield* browser.send(`/api/v1/admin/accounts/${account.id}/changes`, {
    headers: { accept: "text/event-stream" }
  })
  yield* browser.send("/api/v1/admin/session", { method: "DELETE" })
  return answer
})

/** An execution that has ended, with a line of its log. */
const ended = Effect.gen(function* () {
  const work = yield* someWork
  const { held, runner } = work
  const line = { level: "info", message: "Done" } as const
  const outcome = { outcome: "completed", result: { pages: 1 }, logs: [line] } as const
  yield* runner.runner.complete({ params: held.params, payload: { ...held.payload, ...outcome } })
  return work
})

describe("the bytes of an event stream", () => {
  it.effect.each([
    { of: "the events of an execution", open: ofExecution("events") },
    { of: "the log of an execution", open: ofExecution("logs") },
    { of: "a call of a tool", open: toolCall },
    { of: "the changes of an account", open: changes }
  ])("count for its account: $of", ({ open }) => {
    const answers = new CountedAnswers()
    return Effect.gen(function* () {
      const work = yield* ended
      const answer = yield* open(work)

      const { byteLength } = yield* Effect.promise(() => answer.arrayBuffer())

      assert.strictEqual(answer.headers.get("content-type"), "text/event-stream")
      assert.isAbove(byteLength, 100)
      assert.strictEqual(answers.bytes.get(work.account.id), byteLength)
    }).pipe(Effect.scoped, Effect.provide(Layer.provide(service, Layer.succeed(AnswersUnderWay, answers))))
  })
})
