/** Every call, once for each way to make it. */
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as SdkEffect from "../../src/effect/Runhook.ts"
import type { PythonMode } from "../python/Python.ts"
import type { RawCall } from "./Service.ts"
import type { World } from "./World.ts"

/** One call in four ways: of the client, of the client for Effect, of those for Python, and by hand. */
export interface Ways {
  readonly client: () => Promise<unknown>
  readonly effect: (runhook: SdkEffect.Runhook["Service"]) => Effect.Effect<unknown, SdkEffect.RunhookError>
  /** An expression behind `runhook.`, the same for both clients for Python, with the names of \`namesIn\`. */
  readonly python: string
  readonly raw: Omit<RawCall, "key">
  /** Fields in which the answers differ, since each way has a thing of its own. */
  readonly own?: ReadonlyArray<string>
}

const root = "/integrations"
const alertTargets = `${root}/alert-targets`
const endpoints = `${root}/webhooks/endpoints`

const nightly = (execution: World["request"]) => ({
  name: "Nightly",
  cron: "30 2 * * *",
  time_zone: "Europe/Berlin",
  execution
})

/** By endpoint of the contract. */
export const waysIn = ({
  alertTarget,
  asking,
  done,
  endpoint,
  file,
  held,
  job,
  queued,
  replay,
  request,
  runhook,
  schedule,
  service,
  settled,
  tenant,
  waiting
}: World): Readonly<Record<string, () => Ways>> => ({
  "POST /executions": () => ({
    client: () => runhook.executions.create(request, { idempotencyKey: "the-same" }),
    effect: ({ executions }) => executions.create(request, { idempotencyKey: "the-same" }),
    python: "executions.create(**vars(request), idempotency_key='the-same')",
    raw: { path: `${root}/executions`, body: request, headers: { "idempotency-key": "the-same" } }
  }),
  "POST /executions/cancel": () => {
    const filter = { reference: "nothing" }
    const options = { idempotencyKey: "the-same", reason: "Enough" }
    return {
      client: () => runhook.executions.cancelAll(filter, options),
      effect: ({ executions }) => executions.cancelAll(filter, options),
      python: "executions.cancel_all(reference='nothing', reason='Enough', idempotency_key='the-same')",
      raw: {
        path: `${root}/executions/cancel`,
        body: { filter, reason: "Enough" },
        headers: { "idempotency-key": "the-same" }
      }
    }
  },
  "GET /executions/jobs/:id": () => ({
    client: () => runhook.executions.jobs.get(job),
    effect: ({ executions }) => executions.jobs.waitFor(job),
    python: "executions.jobs.wait_for(job)",
    raw: { path: `${root}/executions/jobs/${job}` }
  }),
  "POST /executions/jobs/:id/cancel": () => ({
    client: () => runhook.executions.jobs.cancel(job),
    effect: ({ executions }) => executions.jobs.cancel(job),
    python: "executions.jobs.cancel(job)",
    raw: { method: "POST", path: `${root}/executions/jobs/${job}/cancel` }
  }),
  "POST /executions/batch": () => {
    const items = [{ ...request, idempotency_key: "of-many" }]
    return {
      client: () => runhook.executions.createBatch(items),
      effect: ({ executions }) => executions.createBatch(items),
      python: "executions.create_batch([{**vars(request), 'idempotency_key': 'of-many'}])",
      raw: { path: `${root}/executions/batch`, body: { items } },
      // The first request creates it.
      own: ["data"]
    }
  },
  "GET /executions": () => ({
    client: () => runhook.executions.list({ reference: "order-1", status: "queued" }).page(),
    effect: ({ executions }) => executions.page({ reference: "order-1", status: "queued" }),
    python: "executions.list(reference='order-1', status='queued').page()",
    raw: { path: `${root}/executions?reference=order-1&status=queued` }
  }),
  "GET /executions/:id": () => ({
    client: () => runhook.executions.get(done, { wait: 1 }),
    effect: ({ executions }) => executions.get(done, { wait: 1 }),
    python: "executions.get(done, wait=1)",
    raw: { path: `${root}/executions/${done}?wait=1` }
  }),
  "POST /executions/:id/cancel": () => ({
    client: () => runhook.executions.cancel(queued, { reason: "enough" }),
    effect: ({ executions }) => executions.cancel(queued, { reason: "enough" }),
    python: "executions.cancel(queued, reason='enough')",
    raw: { path: `${root}/executions/${queued}/cancel`, body: { reason: "enough" } }
  }),
  "POST /executions/:id/release": () => ({
    client: () => runhook.executions.release(held),
    effect: ({ executions }) => executions.release(held),
    python: "executions.release(held)",
    raw: { method: "POST", path: `${root}/executions/${held}/release` }
  }),
  "POST /executions/:id/rerun": () => ({
    client: () => runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    effect: ({ executions }) =>
      executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    python: "executions.rerun(done, params={'copies': 3}, idempotency_key='again')",
    raw: {
      path: `${root}/executions/${done}/rerun`,
      body: { params: { copies: 3 } },
      headers: { "idempotency-key": "again" }
    }
  }),
  "PATCH /executions/:id": () => ({
    client: () => runhook.executions.reschedule(waiting, { priority: 7 }),
    effect: ({ executions }) => executions.reschedule(waiting, { priority: 7 }),
    python: "executions.reschedule(waiting, priority=7)",
    raw: { method: "PATCH", path: `${root}/executions/${waiting}`, body: { priority: 7 } }
  }),
  "GET /executions/:id/events": () => ({
    client: () => runhook.executions.events(done, { after: 1, limit: 2, wait: 1 }),
    effect: ({ executions }) => executions.events(done, { after: 1, limit: 2, wait: 1 }),
    python: "executions.events(done, after=1, limit=2, wait=1)",
    raw: { path: `${root}/executions/${done}/events?after=1&limit=2&wait=1` }
  }),
  "GET /executions/:id/logs": () => ({
    client: () => runhook.executions.logs(done, { after: 1, wait: 1 }),
    effect: ({ executions }) => executions.logs(done, { after: 1, wait: 1 }),
    python: "executions.logs(done, after=1, wait=1)",
    raw: { path: `${root}/executions/${done}/logs?after=1&wait=1` }
  }),
  "GET /executions/:id/explain": () => ({
    client: () => runhook.executions.explain(done),
    effect: ({ executions }) => executions.explain(done),
    python: "executions.explain(done)",
    raw: { path: `${root}/executions/${done}/explain` }
  }),
  "GET /executions/:id/evidence": () => ({
    client: () => runhook.executions.evidence(done),
    effect: ({ executions }) => executions.evidence(done),
    python: "executions.evidence(done)",
    raw: { path: `${root}/executions/${done}/evidence` }
  }),
  "GET /executions/:id/artifacts": () => ({
    client: () => runhook.executions.artifacts(done),
    effect: ({ executions }) => executions.artifacts(done),
    python: "executions.artifacts(done)",
    raw: { path: `${root}/executions/${done}/artifacts` }
  }),
  "GET /executions/:id/files/:fileId": () => ({
    client: () => runhook.files.download(file).then((answer) => answer.text()),
    effect: ({ files }) => files.download(file).pipe(Stream.decodeText, Stream.mkString),
    python: "files.download(file)",
    raw: { path: `${root}/executions/${done}/files/${file.id}` }
  }),
  "GET /executions/:id/inputs": () => ({
    client: () => runhook.executions.inputs(asking.execution_id),
    effect: ({ executions }) => executions.inputs(asking.execution_id),
    python: "executions.inputs(asking.execution_id)",
    raw: { path: `${root}/executions/${asking.execution_id}/inputs` }
  }),
  "POST /executions/:id/inputs/:inputId": () => ({
    client: () => runhook.executions.answer(asking, { value: "1234" }),
    effect: ({ executions }) => executions.answer(asking, { value: "1234" }),
    python: "executions.answer(asking.execution_id, asking.input_id, '1234')",
    raw: {
      path: `${root}/executions/${asking.execution_id}/inputs/${asking.input_id}`,
      body: { value: "1234" }
    }
  }),
  "GET /tasks": () => ({
    client: () => runhook.tasks.list({ q: "print", limit: 10 }).page(),
    effect: ({ tasks }) => tasks.page({ q: "print", limit: 10 }),
    python: "tasks.list(q='print', limit=10).page()",
    raw: { path: `${root}/tasks?q=print&limit=10` }
  }),
  "GET /tasks/:id": () => ({
    client: () => runhook.tasks.get(tenant.task_id),
    effect: ({ tasks }) => tasks.get(tenant.task_id),
    python: "tasks.get(tenant.task_id)",
    raw: { path: `${root}/tasks/${tenant.task_id}` }
  }),
  "GET /tasks/:id/params-schema": () => ({
    client: () => runhook.tasks.paramsSchema(tenant.task_id, { v: 1 }),
    effect: ({ tasks }) => tasks.paramsSchema(tenant.task_id, { v: 1 }),
    python: "tasks.params_schema(tenant.task_id, v=1)",
    raw: { path: `${root}/tasks/${tenant.task_id}/params-schema?v=1` }
  }),
  "GET /me": () => ({
    client: () => runhook.me(),
    effect: (client) => client.me(),
    python: "me()",
    raw: { path: `${root}/me` }
  }),
  "GET /agents": () => ({
    client: () => runhook.agents.list().page(),
    effect: ({ agents }) => agents.page(),
    python: "agents.list().page()",
    raw: { path: `${root}/agents` }
  }),
  "GET /webhooks/deliveries": () => ({
    client: () => runhook.deliveries.list({ q: settled.shown, status: ["delivered", "dead"] }).page(),
    effect: ({ deliveries }) => deliveries.page({ q: settled.shown, status: ["delivered", "dead"] }),
    python: "deliveries.list(q=settled.shown, status=['delivered', 'dead']).page()",
    raw: { path: `${root}/webhooks/deliveries?q=${settled.shown}&status=delivered&status=dead` }
  }),
  "GET /webhooks/deliveries/:id": () => ({
    client: () => runhook.deliveries.get(settled.shown),
    effect: ({ deliveries }) => deliveries.get(settled.shown),
    python: "deliveries.get(settled.shown)",
    raw: { path: `${root}/webhooks/deliveries/${settled.shown}` }
  }),
  "POST /webhooks/deliveries/:id/replay": () => ({
    client: () => runhook.deliveries.replay(settled.byClient),
    effect: ({ deliveries }) => deliveries.replay(settled.byEffect),
    python: "deliveries.replay(settled.own)",
    raw: { method: "POST", path: `${root}/webhooks/deliveries/${settled.byHand}/replay` },
    own: ["id"]
  }),
  "POST /webhooks/replays": () => ({
    client: () => runhook.deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    effect: ({ deliveries }) => deliveries.replayAll({ q: "nothing", status: ["dead", "delivered"] }),
    python: "deliveries.replay_all(q='nothing', status=['dead', 'delivered'])",
    raw: { path: `${root}/webhooks/replays`, body: { q: "nothing", status: ["dead", "delivered"] } },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /webhooks/replays": () => ({
    client: () => runhook.deliveries.replays.list({ limit: 1 }).page(),
    effect: ({ deliveries }) => deliveries.replays.page({ limit: 1 }),
    python: "deliveries.replays.list(limit=1).page()",
    raw: { path: `${root}/webhooks/replays?limit=1` },
    // The newest is still being carried out.
    own: ["data", "next_cursor"]
  }),
  "GET /webhooks/replays/:id": () => ({
    client: () => runhook.deliveries.replays.get(replay),
    effect: ({ deliveries }) => deliveries.replays.get(replay),
    python: "deliveries.replays.get(replay)",
    raw: { path: `${root}/webhooks/replays/${replay}` }
  }),
  "POST /webhooks/replays/:id/cancel": () => ({
    client: () => runhook.deliveries.replays.cancel(replay),
    effect: ({ deliveries }) => deliveries.replays.cancel(replay),
    python: "deliveries.replays.cancel(replay)",
    raw: { method: "POST", path: `${root}/webhooks/replays/${replay}/cancel` }
  }),
  "GET /schedules": () => ({
    client: () => runhook.schedules.list().page(),
    effect: ({ schedules }) => schedules.page(),
    python: "schedules.list().page()",
    raw: { path: `${root}/schedules` }
  }),
  "POST /schedules": () => ({
    client: () => runhook.schedules.create(nightly(request)),
    effect: ({ schedules }) => schedules.create(nightly(request)),
    python:
      "schedules.create(name='Nightly', cron='30 2 * * *', time_zone='Europe/Berlin', execution=vars(request))",
    raw: { path: `${root}/schedules`, body: nightly(request) },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /schedules/:id": () => ({
    client: () => runhook.schedules.get(schedule.shown),
    effect: ({ schedules }) => schedules.get(schedule.shown),
    python: "schedules.get(schedule.shown)",
    raw: { path: `${root}/schedules/${schedule.shown}` }
  }),
  "PATCH /schedules/:id": () => ({
    client: () => runhook.schedules.update(schedule.shown, { enabled: false }),
    effect: ({ schedules }) => schedules.update(schedule.shown, { enabled: false }),
    python: "schedules.update(schedule.shown, enabled=False)",
    raw: { method: "PATCH", path: `${root}/schedules/${schedule.shown}`, body: { enabled: false } },
    own: ["updated_at"]
  }),
  "POST /schedules/:id/trigger": () => ({
    client: () => runhook.schedules.trigger(schedule.shown),
    effect: ({ schedules }) => schedules.trigger(schedule.shown),
    python: "schedules.trigger(schedule.shown)",
    raw: { method: "POST", path: `${root}/schedules/${schedule.shown}/trigger` },
    own: ["execution_id"]
  }),
  "DELETE /schedules/:id": () => ({
    client: () => runhook.schedules.remove(schedule.byClient),
    effect: ({ schedules }) => schedules.remove(schedule.byEffect),
    python: "schedules.remove(schedule.own)",
    raw: { method: "DELETE", path: `${root}/schedules/${schedule.byHand}` }
  }),
  "GET /alerts": () => ({
    client: () => runhook.alerts.list(),
    effect: ({ alerts }) => alerts.list(),
    python: "alerts.list()",
    raw: { path: `${root}/alerts` }
  }),
  "GET /alert-targets": () => ({
    client: () => runhook.alerts.targets.list(),
    effect: ({ alerts }) => alerts.targets.list(),
    python: "alerts.targets.list()",
    raw: { path: alertTargets }
  }),
  "POST /alert-targets": () => ({
    client: () => runhook.alerts.targets.create({ channel: "webhook", address: service.url }),
    effect: ({ alerts }) => alerts.targets.create({ channel: "webhook", address: service.url }),
    python: "alerts.targets.create(channel='webhook', address=url)",
    raw: { path: alertTargets, body: { channel: "webhook", address: service.url } },
    own: ["id", "created_at", "updated_at", "signing_secret"]
  }),
  "GET /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.get(alertTarget.shown),
    effect: ({ alerts }) => alerts.targets.get(alertTarget.shown),
    python: "alerts.targets.get(alert_target.shown)",
    raw: { path: `${alertTargets}/${alertTarget.shown}` }
  }),
  "PATCH /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.update(alertTarget.shown, { kinds: ["no_runner"] }),
    effect: ({ alerts }) => alerts.targets.update(alertTarget.shown, { kinds: ["no_runner"] }),
    python: "alerts.targets.update(alert_target.shown, kinds=['no_runner'])",
    raw: { method: "PATCH", path: `${alertTargets}/${alertTarget.shown}`, body: { kinds: ["no_runner"] } },
    own: ["updated_at"]
  }),
  "POST /alert-targets/:id/test": () => ({
    client: () => runhook.alerts.targets.test(alertTarget.shown),
    effect: ({ alerts }) => alerts.targets.test(alertTarget.shown),
    python: "alerts.targets.test(alert_target.shown)",
    raw: { method: "POST", path: `${alertTargets}/${alertTarget.shown}/test` }
  }),
  "DELETE /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.remove(alertTarget.byClient),
    effect: ({ alerts }) => alerts.targets.remove(alertTarget.byEffect),
    python: "alerts.targets.remove(alert_target.own)",
    raw: { method: "DELETE", path: `${alertTargets}/${alertTarget.shown}` }
  }),
  "GET /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.list(),
    effect: ({ webhooks }) => webhooks.endpoints.list(),
    python: "webhooks.endpoints.list()",
    raw: { path: endpoints }
  }),
  "POST /webhooks/endpoints": () => ({
    client: () => runhook.webhooks.endpoints.create({ kind: "push", url: service.url }),
    effect: ({ webhooks }) => webhooks.endpoints.create({ kind: "push", url: service.url }),
    python: "webhooks.endpoints.create(kind='push', url=url)",
    raw: { path: endpoints, body: { kind: "push", url: service.url } },
    own: ["id", "created_at", "updated_at", "signing_secret"]
  }),
  "GET /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.get(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.get(endpoint.shown),
    python: "webhooks.endpoints.get(endpoint.shown)",
    raw: { path: `${endpoints}/${endpoint.shown}` }
  }),
  "PATCH /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    effect: ({ webhooks }) => webhooks.endpoints.update(endpoint.shown, { description: "The shop" }),
    python: "webhooks.endpoints.update(endpoint.shown, description='The shop')",
    raw: { method: "PATCH", path: `${endpoints}/${endpoint.shown}`, body: { description: "The shop" } },
    own: ["updated_at"]
  }),
  "POST /webhooks/endpoints/:id/rotate": () => ({
    client: () => runhook.webhooks.endpoints.rotate(endpoint.shown),
    effect: ({ webhooks }) => webhooks.endpoints.rotate(endpoint.shown),
    python: "webhooks.endpoints.rotate(endpoint.shown)",
    raw: { path: `${endpoints}/${endpoint.shown}/rotate`, body: {} },
    own: ["signing_secret", "previous_expires_at"]
  }),
  "POST /webhooks/endpoints/:id/test": () => ({
    client: () => runhook.webhooks.endpoints.test(endpoint.tested),
    effect: ({ webhooks }) => webhooks.endpoints.test(endpoint.tested),
    python: "webhooks.endpoints.test(endpoint.tested)",
    raw: { method: "POST", path: `${endpoints}/${endpoint.tested}/test` }
  }),
  "GET /webhooks/endpoints/:id/messages": () => ({
    client: () => runhook.webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    effect: ({ webhooks }) => webhooks.endpoints.fetch(endpoint.shown, { limit: 5 }),
    python: "webhooks.endpoints.fetch(endpoint.shown, limit=5)",
    raw: { path: `${endpoints}/${endpoint.shown}/messages?limit=5` }
  }),
  "POST /webhooks/endpoints/:id/messages/ack": () => ({
    client: () => runhook.webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    effect: ({ webhooks }) => webhooks.endpoints.acknowledge(endpoint.shown, [done]),
    python: "webhooks.endpoints.acknowledge(endpoint.shown, [done])",
    raw: { path: `${endpoints}/${endpoint.shown}/messages/ack`, body: { message_ids: [done] } }
  }),
  "DELETE /webhooks/endpoints/:id": () => ({
    client: () => runhook.webhooks.endpoints.remove(endpoint.byClient),
    effect: ({ webhooks }) => webhooks.endpoints.remove(endpoint.byEffect),
    python: "webhooks.endpoints.remove(endpoint.own)",
    raw: { method: "DELETE", path: `${endpoints}/${endpoint.shown}` }
  }),
  "POST /webhooks/test": () => ({
    client: () => runhook.webhooks.test({ callback_url: `${service.url}/hook` }),
    effect: ({ webhooks }) => webhooks.test({ callback_url: `${service.url}/hook` }),
    python: "webhooks.test(callback_url=f'{url}/hook')",
    raw: { path: `${root}/webhooks/test`, body: { callback_url: `${service.url}/hook` } }
  })
})

/** What expressions of Python name in a world. */
export const namesIn = (world: World, mode: PythonMode) => {
  const {
    alertTarget,
    asking,
    done,
    endpoint,
    file,
    held,
    job,
    queued,
    replay,
    request,
    schedule,
    service,
    settled,
    tenant,
    waiting
  } = world
  const own = mode === "sync" ? "byPython" : "byAsyncPython"
  return {
    asking,
    done,
    file,
    held,
    job,
    queued,
    replay,
    request,
    tenant,
    waiting,
    settled: { shown: settled.shown, own: settled[own] },
    schedule: { shown: schedule.shown, own: schedule[own] },
    alert_target: { shown: alertTarget.shown, own: alertTarget[own] },
    endpoint: { shown: endpoint.shown, tested: endpoint.tested, own: endpoint[own] },
    url: service.url
  }
}
