/** A key that may not use the task, or the agent, of all the work that it meets: that of others, and its own of before. */
import type { ExecutionId } from "@runhook/core/shared/Ids"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { jsonOf } from "../Hosts.ts"
import { Host, integrationClient } from "../Service.ts"
import { claimed, settle } from "../Settled.ts"
import { claimNow, makeSession, makeTenant, published } from "../Tenant.ts"

/** What it lacks. */
export type Lacking = "agent" | "task"

/** The session of another key's MCP client, and the id of its call. */
export const foreignCall = { session: "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f.forms", id: 7 }

export interface Sending {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

const question = {
  input_key: "code",
  prompt: "Which code?",
  schema: { type: "string" },
  expires_in_s: 60,
  on_timeout: "error",
  mode: "hold"
} as const

export const makeOutsider = Effect.fnUntraced(function* (lacking: Lacking) {
  const tenant = yield* makeTenant()
  const { account, admin, agent, integration, params, runner, task, version } = tenant
  const host = yield* Host
  const otherAgent = yield* admin.agents.create({ params, payload: { name: "Fax" } })
  const otherTask = yield* admin.tasks.create({ params, payload: { slug: "fax", name: "Fax" } })
  yield* published(admin, {
    params: { ...params, task_id: otherTask.id },
    payload: { params_schema: { type: "object" } }
  })
  const { id, key } = yield* admin.keys.create({ params, payload: { name: "Outsider" } })
  const work = { agent_id: agent.id, task_id: task.id }

  const create = Effect.fnUntraced(function* (by: typeof integration, more: object) {
    const payload = { ...work, ...more }
    const made = yield* by.executions.create({ params: {}, headers: {}, query: {}, payload })
    return "execution_id" in made ? made.execution_id : yield* Effect.die("it was not created")
  })

  /** Its own, with a callback that was given up, and a question that is open. */
  const own = yield* integrationClient(key)
  const asking: ExecutionId = yield* create(own, {
    callback_url: "https://receiver.example.com/hooks",
    callback_events: ["execution.queued"]
  })
  yield* settle(yield* claimed, { _tag: "Dead" })
  const { data: callbacks } = yield* own.webhooks.list({ params: {}, query: {} })
  const [claim] = (yield* claimNow(tenant, yield* makeSession(tenant))).claims
  const held = { params: { id: asking }, payload: { epoch: claim?.epoch ?? 0 } }
  yield* runner.runner.start(held)
  const { input_id: input } = yield* runner.runner.ask({ ...held, payload: { ...held.payload, ...question } })

  /** Those of another key. */
  const queued = yield* create(integration, {})
  const waiting = yield* create(integration, {
    hold: true,
    reference: `mcp:${foreignCall.session}:${foreignCall.id}`
  })
  const nightly = { name: "Nightly", cron: "30 2 * * *", time_zone: "UTC" }
  const schedule = yield* integration.schedules.create({
    params: {},
    payload: { ...nightly, execution: work }
  })
  const byVersion = yield* integration.schedules.create({
    params: {},
    payload: { ...nightly, execution: { agent_id: agent.id, task_version_id: version.id } }
  })

  yield* admin.keys.update({
    params: { ...params, key_id: id },
    payload:
      lacking === "task" ? { allowed_task_ids: [otherTask.id] } : { allowed_agent_ids: [otherAgent.id] }
  })

  const send = (method: string, path: string, { body, headers = {}, key: by = key }: Sending = {}) =>
    host(path, {
      method,
      headers: { authorization: `Bearer ${by}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })

  const delivery = callbacks[0]?.id ?? ""
  const ofAccount = `/api/v1/admin/accounts/${account.id}`
  const shown = [
    "executions",
    "schedules",
    ...[asking, queued, waiting].map((each) => `executions/${each}`),
    `deliveries/${delivery}`
  ]

  return {
    /** The id of its key. */
    id,
    key,
    ids: { asking, byVersion: byVersion.id, delivery, input, queued, schedule: schedule.id, waiting },
    ofAccount,
    otherTask,
    /** Everything that it might change, as the operator sees it. */
    seen: Effect.forEach(shown, (path) =>
      Effect.map(
        Effect.flatMap(send("GET", `${ofAccount}/${path}`, { key: adminKey }), jsonOf),
        Struct.omit(["request_id"])
      )
    ),
    send,
    /** Of a key that may use everything. */
    tenantKey: tenant.key.key,
    work
  }
})

export type Outsider = Effect.Success<ReturnType<typeof makeOutsider>>
