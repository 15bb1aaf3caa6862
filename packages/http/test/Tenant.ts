/** An account with all it takes to run something, made as operators make it. */
import * as Effect from "effect/Effect"
import { adminClient, integrationClient, runnerClient } from "./Service.ts"

type Admin = Effect.Success<typeof adminClient>
type Publishing = Parameters<Admin["tasks"]["publish"]>[0]

/** Publishes a version. */
export const published = Effect.fnUntraced(function* (admin: Admin, request: Omit<Publishing, "query">) {
  const version = yield* admin.tasks.publish({ ...request, query: {} })
  return "id" in version ? version : yield* Effect.die("it was only checked")
})

export const makeTenant = Effect.fnUntraced(function* () {
  const admin = yield* adminClient
  const account = yield* admin.accounts.create({ payload: { name: "Acme" } })
  const params = { account_id: account.id }
  const agent = yield* admin.agents.create({ params, payload: { name: "Press" } })
  const task = yield* admin.tasks.create({ params, payload: { slug: "print", name: "Print" } })
  const version = yield* published(admin, {
    params: { ...params, task_id: task.id },
    payload: {
      params_schema: { type: "object", properties: { copies: { type: "integer", default: 1 } } },
      result_schema: { type: "object", required: ["pages"] }
    }
  })
  const key = yield* admin.keys.create({ params, payload: { name: "Back office" } })
  const runnerKey = yield* admin.runnerKeys.create({ params, payload: { name: "Cellar" } })
  return {
    admin,
    account,
    params,
    agent,
    task,
    version,
    key,
    runnerKey,
    integration: yield* integrationClient(key.key),
    runner: yield* runnerClient(runnerKey.key)
  }
})

export type Tenant = Effect.Success<ReturnType<typeof makeTenant>>

/** Queues an execution of the tenant's task. */
export const makeExecution = Effect.fnUntraced(function* (
  { agent, integration, task }: Tenant,
  fields: { readonly metadata?: Readonly<Record<string, string>>; readonly callback_url?: string } = {}
) {
  const payload = { agent_id: agent.id, task_id: task.id, ...fields }
  const created = yield* integration.executions.create({ params: {}, headers: {}, query: {}, payload })
  return "reference" in created ? created : yield* Effect.die("it was not created")
})

/** Opens a session of the tenant's runner. */
export const makeSession = ({ runner }: Tenant) =>
  runner.runner.openSession({
    payload: { instance_id: "cellar-1", runner_name: "Cellar", capacity: 4 }
  })

/** Asks for work without waiting for it. */
export const claimNow = Effect.fnUntraced(function* (
  { runner }: Tenant,
  session: Effect.Success<ReturnType<typeof makeSession>>
) {
  return yield* runner.runner.claim({
    payload: { session_id: session.session_id, claim_id: "claim-1", free_slots: 4, wait_ms: 0 }
  })
})

/** A tenant whose runner has claimed one execution, and not started it. */
export const makeClaim = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  const session = yield* makeSession(tenant)
  yield* makeExecution(tenant)
  const { claims } = yield* claimNow(tenant, session)
  const [claim] = claims
  if (claim === undefined) return yield* Effect.die("there was nothing to claim")
  const held = { params: { id: claim.execution_id }, payload: { epoch: claim.epoch } }
  return { ...tenant, session, claim, held, execution: { id: claim.execution_id } }
})

export type Work = Effect.Success<ReturnType<typeof makeClaim>>

/** A tenant whose runner is at work. */
export const someWork = Effect.gen(function* () {
  const work = yield* makeClaim()
  yield* work.runner.runner.start(work.held)
  return work
})
