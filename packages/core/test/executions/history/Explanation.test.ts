import { assert, describe, it } from "@effect/vitest"
import type { AgentView } from "@runhook/core/catalog/Agent"
import { type Block, explain, type ExplainContext } from "@runhook/core/executions/history/Explanation"
import { stop } from "@runhook/core/runs/EndMoves"
import type { Run } from "@runhook/core/runs/Run"
import { acceptedRun, claimedRun, second, startedRun } from "../../runs/RunFixtures.ts"

const { agentId, id } = acceptedRun().execution

const makeAgentView = ({
  state = "active",
  ...fields
}: Partial<AgentView> & Partial<Pick<AgentView["agent"], "state">> = {}): AgentView => ({
  agent: {
    id: agentId,
    accountId: acceptedRun().execution.accountId,
    name: "Clerk",
    description: "",
    labels: {},
    capacity: 5,
    state,
    createdAt: second(0),
    updatedAt: second(0)
  },
  busy: 0,
  queued: 1,
  runners: [{ isDraining: false }],
  lastSeenAt: second(0),
  ...fields
})

const explained = (run: Run, fields: Partial<ExplainContext> = {}) =>
  explain(run, { agent: makeAgentView(), ahead: 0, seatsTaken: null, at: second(10), ...fields })

describe("the explanation of an execution", () => {
  it.each([
    { state: "held", run: acceptedRun({ status: "pending" }) },
    { state: "waiting", run: acceptedRun() },
    { state: "claimed", run: claimedRun() },
    { state: "started", run: startedRun() },
    { state: "finished", run: stop(acceptedRun(), { to: "aborted", reason: null, at: second(3) }).run }
  ])("says that one is $state, and what is in the way only of one that waits", ({ run, state }) => {
    const isInWay = state === "held" || state === "waiting"

    const { blockedBy, ...explanation } = explained(run, { agent: makeAgentView({ state: "disabled" }) })

    assert.strictEqual(explanation.state, state)
    assert.strictEqual(blockedBy.length > 0, isInWay)
    assert.strictEqual(explanation.position, state === "waiting" ? 1 : null)
  })

  const noDetails = { key: null, limit: null, current: null }

  const obstacles: ReadonlyArray<{ what: string; agent: AgentView; block: Omit<Block, "id"> }> = [
    {
      what: "a disabled agent",
      agent: makeAgentView({ state: "disabled" }),
      block: { kind: "agent_disabled", ...noDetails }
    },
    {
      what: "a paused agent",
      agent: makeAgentView({ state: "paused" }),
      block: { kind: "agent_paused", ...noDetails }
    },
    {
      what: "runners that all drain",
      agent: makeAgentView({ runners: [{ isDraining: true }, { isDraining: true }] }),
      block: { kind: "runners_draining", ...noDetails, current: 2 }
    },
    {
      what: "an agent without runners",
      agent: makeAgentView({ runners: [] }),
      block: { kind: "no_runner", ...noDetails, current: 0 }
    },
    {
      what: "an agent that has enough to do",
      agent: makeAgentView({ busy: 5 }),
      block: { kind: "agent_capacity", ...noDetails, limit: 5, current: 5 }
    }
  ]

  it.each(obstacles)("names $what", ({ agent, block }) => {
    assert.deepStrictEqual(explained(acceptedRun(), { agent }).blockedBy, [{ ...block, id: agentId }])
  })

  it("names a concurrency key without a seat alone, since its place in the queue says nothing then", () => {
    const concurrency = { key: "till-4", limit: 1, policy: "queue" } as const

    const { blockedBy, position } = explained(acceptedRun({ concurrency }), { ahead: 7, seatsTaken: 1 })

    assert.deepStrictEqual(blockedBy, [{ kind: "concurrency_key", id, key: "till-4", limit: 1, current: 1 }])
    assert.isNull(position)
  })

  it("has nothing to say of an agent that was removed", () => {
    const { blockedBy, runnersOnline } = explained(acceptedRun(), { agent: null, ahead: 7 })

    assert.deepStrictEqual([blockedBy, runnersOnline], [[], 0])
  })
})
