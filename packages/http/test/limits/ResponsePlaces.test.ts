import { assert, describe, it } from "@effect/vitest"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  CurrentResponseBudget,
  type Owner,
  ResponseBudget,
  responseLimits
} from "../../src/limits/ResponseBudget.ts"
import { makeBrowser } from "../Browser.ts"
import { errorOf } from "../Hosts.ts"
import { Host, service } from "../Service.ts"
import { someWork, type Work } from "../Tenant.ts"

/** Knows what each owner was sent. */
class CountingBudget extends ResponseBudget {
  readonly sent = new Map<Owner, number>()

  override send(owner: Owner, bytes: number): Effect.Effect<void> {
    this.sent.set(owner, (this.sent.get(owner) ?? 0) + bytes)
    return super.send(owner, bytes)
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

const executions = "/api/v1/integrations/executions"

const makeLargeExecution = Effect.fnUntraced(function* ({ agent, integration, task }: Work) {
  const payload = { agent_id: agent.id, task_id: task.id, params: { text: "x".repeat(300_000) } }
  const created = yield* integration.executions.create({ params: {}, headers: {}, query: {}, payload })
  return "execution_id" in created ? created.execution_id : yield* Effect.die("it was not created")
})

const largeExecution = Effect.fnUntraced(function* (work: Work) {
  const id = yield* makeLargeExecution(work)
  return yield* (yield* Host)(`${executions}/${id}`, { headers: { authorization: `Bearer ${work.key.key}` } })
})

const longPage = Effect.fnUntraced(function* (work: Work) {
  yield* makeLargeExecution(work)
  yield* makeLargeExecution(work)
  return yield* (yield* Host)(executions, { headers: { authorization: `Bearer ${work.key.key}` } })
})

const auditFile = Effect.fnUntraced(function* ({ account }: Work) {
  const headers = { authorization: `Bearer ${adminKey}`, accept: "text/csv" }
  return yield* (yield* Host)(`/api/v1/admin/accounts/${account.id}/audit`, { headers })
})

const asRunner = (path: string, body: object) =>
  Effect.fnUntraced(function* ({ runnerKey, session }: Work) {
    return yield* (yield* Host)(`/api/v1/runner${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${runnerKey.key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: session.session_id, ...body })
    })
  })

const ofAccount = ({ account }: Work): Owner => account.id
const ofOperator = (): Owner => null

const withBudget = <A, E, R>(budget: ResponseBudget, test: Effect.Effect<A, E, R>) =>
  test.pipe(
    Effect.scoped,
    Effect.provide(Layer.provide(service, Layer.succeed(CurrentResponseBudget, budget)))
  )

describe("the response budget", () => {
  it.effect.each([
    { of: "a large execution", open: largeExecution, ownerOf: ofAccount },
    { of: "a long page", open: longPage, ownerOf: ofAccount },
    { of: "the audit log as a file", open: auditFile, ownerOf: ofOperator },
    { of: "the events of an execution", open: ofExecution("events"), ownerOf: ofAccount },
    { of: "the log of an execution", open: ofExecution("logs"), ownerOf: ofAccount },
    { of: "a call of a tool", open: toolCall, ownerOf: ofAccount },
    { of: "the changes of an account", open: changes, ownerOf: ofAccount }
  ])("counts each byte that is sent of $of", ({ open, ownerOf }) => {
    const budget = new CountingBudget()
    return withBudget(
      budget,
      Effect.gen(function* () {
        const work = yield* ended
        const answer = yield* open(work)

        const { byteLength } = yield* Effect.promise(() => answer.arrayBuffer())

        assert.strictEqual(answer.status, 200)
        assert.isAbove(byteLength, 100)
        assert.strictEqual(budget.sent.get(ownerOf(work)), byteLength)
        assert.strictEqual(budget.total, 0)
      })
    )
  })

  it.effect.each([
    { of: "a large execution", open: largeExecution, ownerOf: ofAccount },
    { of: "a long page", open: longPage, ownerOf: ofAccount },
    { of: "the audit log as a file", open: auditFile, ownerOf: ofOperator },
    {
      of: "a claim",
      open: asRunner("/claims", { claim_id: "claim-1", free_slots: 4, wait_ms: 0 }),
      ownerOf: ofAccount
    },
    {
      of: "a new session",
      open: Effect.fnUntraced(function* ({ runnerKey }: Work) {
        return yield* (yield* Host)("/api/v1/runner/sessions", {
          method: "POST",
          headers: { authorization: `Bearer ${runnerKey.key}`, "content-type": "application/json" },
          body: JSON.stringify({ instance_id: "cellar-2", runner_name: "Cellar", capacity: 4 })
        })
      }),
      ownerOf: ofAccount
    }
  ])("refuses $of without room", ({ open, ownerOf }) => {
    const budget = new ResponseBudget()
    const { account } = responseLimits.inFlight
    return withBudget(
      budget,
      Effect.gen(function* () {
        const work = yield* ended
        budget.add(ownerOf(work), account)

        const answer = yield* open(work)

        assert.strictEqual(answer.status, 429)
        const { details } = yield* errorOf(answer)
        assert.deepStrictEqual(details, { reason: "large_answers", limit: account })
        assert.strictEqual(budget.total, account)
      })
    )
  })
})
