/** Calls of what an account has: tasks, agents, schedules and alerts. */
import { root, type Ways } from "./Ways.ts"
import type { Everything } from "./Everything.ts"

const alertTargets = `${root}/alert-targets`

const nightly = (execution: Everything["request"]) => ({
  name: "Nightly",
  cron: "30 2 * * *",
  time_zone: "Europe/Berlin",
  execution
})

/** Makes a target and removes it, since an account may have no more than ten; gives what one of the two answers. */
const inPassing = (answer: "made" | "nil") => `func() (any, error) {
	made, err := client.Alerts.Targets.Create(ctx, CreateAlertTarget{Channel: "webhook", Address: at(given, "url")})
	if err != nil {
		return nil, err
	}
	return ${answer}, client.Alerts.Targets.Remove(ctx, made.ID)
}()`

/** By endpoint of the contract. */
export const accountWays = ({
  alertTarget,
  request,
  runhook,
  schedule,
  service,
  tenant
}: Everything): Readonly<Record<string, () => Ways>> => ({
  "GET /tasks": () => ({
    client: () => runhook.tasks.list({ q: "print", limit: 10 }).page(),
    effect: ({ tasks }) => tasks.page({ q: "print", limit: 10 }),
    python: "tasks.list(q='print', limit=10).page()",
    go: 'client.Tasks.ListPage(ctx, TaskFilter{Q: "print", Limit: 10})',
    raw: { path: `${root}/tasks?q=print&limit=10` }
  }),
  "GET /tasks/:id": () => ({
    client: () => runhook.tasks.get(tenant.taskId),
    effect: ({ tasks }) => tasks.get(tenant.taskId),
    python: "tasks.get(tenant.taskId)",
    go: 'client.Tasks.Get(ctx, at(given, "tenant.taskId"))',
    raw: { path: `${root}/tasks/${tenant.taskId}` }
  }),
  "GET /tasks/:id/params-schema": () => ({
    client: () => runhook.tasks.paramsSchema(tenant.taskId, { v: 1 }),
    effect: ({ tasks }) => tasks.paramsSchema(tenant.taskId, { v: 1 }),
    python: "tasks.params_schema(tenant.taskId, v=1)",
    go: 'client.Tasks.ParamsSchema(ctx, at(given, "tenant.taskId"), VersionQuery{V: 1})',
    raw: { path: `${root}/tasks/${tenant.taskId}/params-schema?v=1` }
  }),
  "GET /me": () => ({
    client: () => runhook.me(),
    effect: (client) => client.me(),
    python: "me()",
    go: "client.Me(ctx)",
    raw: { path: `${root}/me` }
  }),
  "GET /agents": () => ({
    client: () => runhook.agents.list().page(),
    effect: ({ agents }) => agents.page(),
    python: "agents.list().page()",
    go: "client.Agents.ListPage(ctx, PageQuery{})",
    raw: { path: `${root}/agents` }
  }),
  "GET /schedules": () => ({
    client: () => runhook.schedules.list().page(),
    effect: ({ schedules }) => schedules.page(),
    python: "schedules.list().page()",
    go: "client.Schedules.ListPage(ctx, PageQuery{})",
    raw: { path: `${root}/schedules` }
  }),
  "POST /schedules": () => ({
    client: () => runhook.schedules.create(nightly(request)),
    effect: ({ schedules }) => schedules.create(nightly(request)),
    python:
      "schedules.create(name='Nightly', cron='30 2 * * *', time_zone='Europe/Berlin', execution=vars(request))",
    go: 'client.Schedules.Create(ctx, CreateSchedule{Name: "Nightly", Cron: "30 2 * * *", TimeZone: "Europe/Berlin", Execution: as[CreateExecution](given["request"])})',
    raw: { path: `${root}/schedules`, body: nightly(request) },
    own: ["id", "created_at", "updated_at"]
  }),
  "GET /schedules/:id": () => ({
    client: () => runhook.schedules.get(schedule.shown),
    effect: ({ schedules }) => schedules.get(schedule.shown),
    python: "schedules.get(schedule.shown)",
    go: 'client.Schedules.Get(ctx, at(given, "schedule.shown"))',
    raw: { path: `${root}/schedules/${schedule.shown}` }
  }),
  "PATCH /schedules/:id": () => ({
    client: () => runhook.schedules.update(schedule.shown, { enabled: false }),
    effect: ({ schedules }) => schedules.update(schedule.shown, { enabled: false }),
    python: "schedules.update(schedule.shown, enabled=False)",
    go: 'client.Schedules.Update(ctx, at(given, "schedule.shown"), UpdateSchedule{Enabled: Ptr(false)})',
    raw: { method: "PATCH", path: `${root}/schedules/${schedule.shown}`, body: { enabled: false } },
    own: ["updated_at"]
  }),
  "POST /schedules/:id/trigger": () => ({
    client: () => runhook.schedules.trigger(schedule.shown),
    effect: ({ schedules }) => schedules.trigger(schedule.shown),
    python: "schedules.trigger(schedule.shown)",
    go: 'client.Schedules.Trigger(ctx, at(given, "schedule.shown"), TriggerSchedule{})',
    raw: { method: "POST", path: `${root}/schedules/${schedule.shown}/trigger` },
    own: ["execution_id"]
  }),
  "DELETE /schedules/:id": () => ({
    client: () => runhook.schedules.remove(schedule.byClient),
    effect: ({ schedules }) => schedules.remove(schedule.byEffect),
    python: "schedules.remove(schedule.own)",
    go: 'nothing(client.Schedules.Remove(ctx, at(given, "schedule.own")))',
    raw: { method: "DELETE", path: `${root}/schedules/${schedule.byHand}` }
  }),
  "GET /alerts": () => ({
    client: () => runhook.alerts.list(),
    effect: ({ alerts }) => alerts.list(),
    python: "alerts.list()",
    go: "client.Alerts.List(ctx)",
    raw: { path: `${root}/alerts` }
  }),
  "GET /alert-targets": () => ({
    client: () => runhook.alerts.targets.list(),
    effect: ({ alerts }) => alerts.targets.list(),
    python: "alerts.targets.list()",
    go: "client.Alerts.Targets.List(ctx)",
    raw: { path: alertTargets }
  }),
  "POST /alert-targets": () => ({
    client: () => runhook.alerts.targets.create({ channel: "webhook", address: service.url }),
    effect: ({ alerts }) => alerts.targets.create({ channel: "webhook", address: service.url }),
    python: "alerts.targets.create(channel='webhook', address=url)",
    go: inPassing("made"),
    raw: { path: alertTargets, body: { channel: "webhook", address: service.url } },
    own: ["id", "created_at", "updated_at", "signing_secret"]
  }),
  "GET /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.get(alertTarget.shown),
    effect: ({ alerts }) => alerts.targets.get(alertTarget.shown),
    python: "alerts.targets.get(alert_target.shown)",
    go: 'client.Alerts.Targets.Get(ctx, at(given, "alert_target.shown"))',
    raw: { path: `${alertTargets}/${alertTarget.shown}` }
  }),
  "PATCH /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.update(alertTarget.shown, { kinds: ["no_runner"] }),
    effect: ({ alerts }) => alerts.targets.update(alertTarget.shown, { kinds: ["no_runner"] }),
    python: "alerts.targets.update(alert_target.shown, kinds=['no_runner'])",
    go: 'client.Alerts.Targets.Update(ctx, at(given, "alert_target.shown"), UpdateAlertTarget{Kinds: []string{"no_runner"}})',
    raw: { method: "PATCH", path: `${alertTargets}/${alertTarget.shown}`, body: { kinds: ["no_runner"] } },
    own: ["updated_at"]
  }),
  "POST /alert-targets/:id/test": () => ({
    client: () => runhook.alerts.targets.test(alertTarget.shown),
    effect: ({ alerts }) => alerts.targets.test(alertTarget.shown),
    python: "alerts.targets.test(alert_target.shown)",
    go: 'client.Alerts.Targets.Test(ctx, at(given, "alert_target.shown"))',
    raw: { method: "POST", path: `${alertTargets}/${alertTarget.shown}/test` }
  }),
  "DELETE /alert-targets/:id": () => ({
    client: () => runhook.alerts.targets.remove(alertTarget.byClient),
    effect: ({ alerts }) => alerts.targets.remove(alertTarget.byEffect),
    python: "alerts.targets.remove(alert_target.own)",
    go: inPassing("nil"),
    raw: { method: "DELETE", path: `${alertTargets}/${alertTarget.shown}` }
  })
})
