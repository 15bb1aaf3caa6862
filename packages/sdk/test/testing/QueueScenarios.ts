/** What callers do with executions that wait, that are over, and that they look back at. */
import { answersOf, create, look, nobody, post } from "./Playing.ts"
import type { Stage } from "./Stage.ts"

export const queueScenarios: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  "is run again": async (stage) => {
    const { executions } = stage.client
    const callback_url = stage.callbackUrl
    const callback_events = ["execution.aborted"] as const
    const named = await create(stage, {
      params: { copies: 1 },
      reference: "order-1",
      metadata: { for: "Ada" },
      priority: 5,
      timeout_seconds: 60,
      expires_at: "2999-01-02T00:00:00Z",
      callback_url,
      callback_events
    })
    const held = await create(stage, { hold: true, scheduled_at: "2999-01-01T00:00:00Z" })
    const options = { idempotencyKey: "again-1" }
    const answers = await answersOf([
      () => executions.rerun(named, { version: "current", params: { copies: 2 } }, options),
      () => executions.rerun(named, { params: { copies: 2 }, version: "current" }, options),
      () => executions.rerun(named, { version: "current" }, options),
      () => executions.rerun(held, {}, options),
      () => executions.rerun(held),
      () => executions.rerun(held, { params: { copies: "many" } }),
      () => executions.rerun(nobody),
      () => post(stage, `/executions/${named}/rerun`, { version: "next", params: [], colour: "red" }),
      () => post(stage, `/executions/${named}/rerun?validate_only=true`, {}),
      () => executions.rerun(named, {}, { idempotencyKey: "again 1" }),
      () => executions.list().page()
    ])
    const rerun = (await executions.list({ reference: "order-1" }).toArray({ limit: 1 }))[0]?.id ?? ""
    await executions.cancel(rerun)
    return [...answers, await executions.get(rerun), await executions.get(named), await stage.events(1)]
  },

  "changes its place in the queue while it waits": async (stage) => {
    const { executions } = stage.client
    const id = await create(stage, { reference: "order-1" })
    const held = await create(stage, { hold: true, expires_at: "2999-01-02T00:00:00Z" })
    const patch = (body: unknown) =>
      stage.client.request({ method: "PATCH", path: `/executions/${id}`, body, repeatable: true })
    const answers = await answersOf([
      () => executions.reschedule(id, { priority: 7, scheduled_at: "2999-01-01T02:00:00+02:00" }),
      () => executions.reschedule(id, { expires_at: "2999-01-01T00:00:00Z" }),
      () => executions.reschedule(id, { expires_at: "2999-01-01T00:00:01Z" }),
      () => executions.reschedule(id, { scheduled_at: "2999-01-01T00:00:02Z" }),
      () => executions.reschedule(id, { expires_at: "2001-01-01T00:00:00Z" }),
      () => executions.reschedule(id, { scheduled_at: "2001-01-01T00:00:00Z", expires_at: null }),
      () => executions.reschedule(id, {}),
      () => executions.reschedule(held, { scheduled_at: "2999-01-03T00:00:00Z" }),
      () => executions.reschedule(held, { scheduled_at: null, priority: -1 }),
      () => executions.reschedule(nobody, { priority: 1 }),
      () => patch({ priority: 5_000, expires_at: "soon", colour: "red" }),
      () => patch("x"),
      () => executions.get(id),
      () => executions.cancel(held),
      () => executions.reschedule(held, { priority: 1 })
    ])
    await stage.start(id)
    return [...answers, ...(await answersOf([() => executions.reschedule(id, { priority: 1 })]))]
  },

  "keeps what happened": async (stage) => {
    const { executions } = stage.client
    const completed = await create(stage, { hold: true })
    await executions.reschedule(completed, { priority: 1 })
    await executions.release(completed)
    await stage.start(completed)
    const input_id = await stage.ask(completed)
    await executions.answer({ execution_id: completed, input_id }, { value: "1234" })
    await executions.answer({ execution_id: completed, input_id }, { value: "1234" })
    const running = await executions.events(completed, { after: 4, limit: 2 })
    await stage.complete(completed, { pages: 3 })
    const failed = await create(stage)
    await stage.start(failed)
    await stage.fail(failed, "out of paper")
    const stopped = await create(stage)
    await executions.cancel(stopped, { reason: "enough" })
    const answers = await answersOf([
      () => executions.events(completed),
      () => executions.events(failed, { after: 0, wait: 5 }),
      () => executions.events(stopped, { after: 9, wait: 5 }),
      () => executions.events(stopped),
      () => executions.events(nobody),
      () => look(stage, `/executions/${stopped}/events?after=-1&limit=201&wait=61`),
      () => look(stage, `/executions/${stopped}/events?colour=red`)
    ])
    return [running, ...answers]
  }
}
