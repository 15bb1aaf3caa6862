/** Claims, lists and sweeps of executions look at about what they answer. */
import { type AgentId, ExecutionId } from "@runhook/core/domain/Ids"
import { AgentStore } from "@runhook/core/ports/AgentStore"
import { type ExecutionFilter, ExecutionStore } from "@runhook/core/ports/ExecutionStore"
import { RunStore } from "@runhook/core/ports/RunStore"
import { SweepStore } from "@runhook/core/ports/SweepStore"
import { anAgent } from "@runhook/store-testing/catalog/CatalogFixtures"
import { anExecution, anyExecution, idAt, second } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  newQuestion,
  startDeadline,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Filled } from "./Filled.ts"
import { limit, suite, type Verb } from "./FullTables.ts"
import { sharedReference } from "./Samples.ts"

/** Runs that are claimed, running and asking, for the sweeps to find. Answers those that were started. */
const makeRuns = Effect.gen(function* () {
  const { session, tenant } = yield* Filled
  const runs = yield* RunStore
  yield* anExecution(tenant, { expiresAt: second(5) })
  yield* anExecution(tenant, { timeoutSeconds: 5, priority: 100 })
  const { claims } = yield* claimUpTo(session, { limit: 20, at: second(1) })
  const started = yield* Effect.forEach(claims.slice(0, 10), ({ run }) =>
    runs.start({ ...writeTo(run, second(2)), lease })
  )
  yield* Effect.forEach(started.slice(5), ({ run }) =>
    Effect.flatMap(newQuestion(second(3)), (input) => runs.ask({ ...writeTo(run, second(3)), input }))
  )
  return started
})

const makeLists = Effect.gen(function* () {
  const { middle, otherAgentId, otherTaskId, tenant } = yield* Filled
  const executions = yield* ExecutionStore
  const { accountId, agentId, taskId } = tenant
  const after = yield* idAt(ExecutionId, middle)
  const filters: { readonly [name: string]: Partial<ExecutionFilter> } = {
    everything: {},
    "a common status": { statuses: ["queued"] },
    "a rare status": { statuses: ["running"] },
    "a status of nothing": { statuses: ["cancelled"] },
    "what is queued and what runs": { statuses: ["queued", "running"] },
    "what runs and what has failed": { statuses: ["running", "error"] },
    "two statuses": { statuses: ["completed", "error"] },
    "what has not ended": { statuses: ["pending", "queued", "running", "awaiting_input"] },
    "a task": { taskId },
    "an agent": { agentId },
    "a task and its agent": { taskId, agentId },
    "a task and an agent that never meet": { taskId, agentId: otherAgentId },
    "a task and a status": { taskId, statuses: ["error"] },
    "a task and a status that never meet": { taskId: otherTaskId, statuses: ["error"] },
    "a task and what is queued": { taskId, statuses: ["queued"] },
    "a task and what runs": { taskId, statuses: ["running"] },
    "a task and what is held": { taskId, statuses: ["pending"] },
    "an agent and what is queued": { agentId, statuses: ["queued"] },
    "an agent and what runs": { agentId: otherAgentId, statuses: ["running"] },
    "an agent and a status": { agentId, statuses: ["error"] },
    "an agent and a status that never meet": { agentId: otherAgentId, statuses: ["error"] },
    "a task, its agent and a status": { taskId, agentId, statuses: ["error"] },
    "a reference": { reference: sharedReference },
    "a reference that is an id": { reference: after },
    "what came since the middle": { from: middle },
    "what came until the middle": { to: middle },
    "a status until the middle": { statuses: ["queued"], to: middle },
    "a task until the middle": { taskId, to: middle },
    "all conditions": {
      statuses: ["queued"],
      taskId,
      agentId,
      reference: sharedReference,
      from: middle,
      to: second(0)
    }
  }
  return Object.entries(filters).flatMap(([name, filter]): ReadonlyArray<Verb> => {
    const list = (begin: ExecutionId | null) =>
      executions.list(accountId, { ...anyExecution, ...filter }, { after: begin, limit })
    return [
      { name: `list of ${name}`, run: list(null) },
      { name: `list of ${name} behind a cursor`, run: list(after) }
    ]
  })
})

/** Slots of an agent that gets fewer or more. A plan that holds each against each is far above the bounds. */
const slots = 10 * limit

const makeVerbs = Effect.gen(function* () {
  const { session, tenant } = yield* Filled
  const agents = yield* AgentStore
  const idle = yield* anAgent(tenant.accountId)
  const wide = yield* anAgent(tenant.accountId, { capacity: slots })
  const resize = (id: AgentId, capacity: number) =>
    agents.update({ accountId: tenant.accountId, id, change: { capacity }, at: second(3) })
  const runs = yield* RunStore
  const sweeps = yield* SweepStore
  const started = yield* makeRuns
  const inFlight = started.map(({ run: { execution } }) => ({
    executionId: execution.id,
    epoch: execution.epoch
  }))
  const claim = (at: DateTime.Utc) =>
    runs.claim({ session, claimId: "of-plans", limit: 10, startDeadline, at })
  const round = { at: second(100), limit }
  const verbs: ReadonlyArray<Verb> = [
    ...(yield* makeLists),
    {
      name: "removal of an agent that is needed no more",
      run: agents.remove({ accountId: tenant.accountId, id: idle.id })
    },
    { name: "fewer slots for an agent", run: resize(wide.id, 10) },
    { name: "more slots for an agent", run: resize(idle.id, slots) },
    { name: "claim", run: claim(second(3)) },
    { name: "claim of what was deferred", run: claim(second(3_601)) },
    { name: "claim that finds nothing", run: claim(second(-1)) },
    { name: "sign of life", run: runs.beat({ session, isDraining: true, inFlight, lease, at: second(30) }) },
    { name: "look for the next sweep", run: sweeps.nextDueAt(second(3)) },
    { name: "sweep of leases", run: sweeps.expireLeases(round) },
    { name: "sweep of attempts", run: sweeps.timeOutRuns(round) },
    { name: "sweep of questions", run: sweeps.expireInputs(round) },
    { name: "sweep of what was not started", run: sweeps.expireExecutions(round) },
    { name: "sweep of what is forgotten", run: sweeps.forget(round) },
    {
      name: "sweep of artifacts whose bytes never came",
      run: sweeps.forgetUploads({ at: second(100_000), limit, finalizeMs: 0 })
    }
  ]
  return verbs
})

suite("claims, lists and sweeps of executions", "caller", makeVerbs)
