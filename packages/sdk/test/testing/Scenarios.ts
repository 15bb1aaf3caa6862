/** What callers do, as far as the fake promises to answer as the service does. */
import { answersOf, create, look, nobody, post } from "./Playing.ts"
import { queueScenarios } from "./QueueScenarios.ts"
import type { Stage } from "./Stage.ts"

/** Bodies of requests to queue that the service refuses, beside an agent and a task that are there. */
const refusedBodies: ReadonlyArray<object> = [
  { agent_id: undefined },
  { task_id: undefined },
  { agent_id: "x" },
  { agent_id: nobody },
  { task_id: nobody },
  { task_id: undefined, task_version_id: nobody },
  { v: 9 },
  { version: "tag:stable" },
  { colour: "red" },
  { colour: "red", size: 2 },
  { params: { copies: "many" } },
  { params: [] },
  { params: { copies: 1, id: 2 ** 60, pages: [-(2 ** 53), 1e300] } },
  { reference: "" },
  { reference: 1, priority: "high", hold: "yes", metadata: [] },
  { priority: 5_000, timeout_seconds: 0 },
  { v: 1.5 },
  { version: "x" },
  { metadata: { "_service.x": 1 } },
  { callback_events: ["execution.forgotten"] },
  { scheduled_at: "tomorrow" },
  { expires_at: "2001-01-01T00:00:00Z" },
  { expires_at: "2999-01-01T00:00:00Z", scheduled_at: "2999-01-02T00:00:00Z" },
  { callback_url: 1 },
  { callback_url: "nowhere" },
  { callback_url: "ftp://example.com" },
  { callback_url: "https://user:secret@example.com" }
]

export const scenarios: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  ...queueScenarios,

  "shows tasks and agents": (stage) =>
    answersOf([
      () => stage.client.tasks.list().page(),
      () => stage.client.tasks.list({ q: "PRIN", limit: 1 }).page(),
      () => stage.client.tasks.list({ q: "scan" }).page(),
      () => stage.client.tasks.list({ tag: "stable" }).page(),
      () => stage.client.tasks.get(stage.task_id),
      () => stage.client.tasks.get(nobody),
      () => stage.client.tasks.paramsSchema(stage.task_id),
      () => stage.client.tasks.paramsSchema(stage.task_id, { v: 1 }),
      () => stage.client.tasks.paramsSchema(stage.task_id, { v: 9 }),
      () => stage.client.tasks.paramsSchema(stage.task_id, { version: "x" }),
      () => stage.client.agents.list().page()
    ]),

  "queues an execution": async (stage) => {
    const { agent_id, client, task_id } = stage
    const body = {
      agent_id,
      task_id,
      version: "current",
      params: { copies: 2 },
      reference: "order-1",
      metadata: { for: "Ada" },
      priority: 5,
      scheduled_at: "2999-01-01T02:00:00+02:00",
      expires_at: "2999-01-02T00:00:00Z",
      timeout_seconds: 60
    }
    const made = await client.executions.create(body)
    return [made, await client.executions.get(made.execution_id), await client.executions.list().page()]
  },

  "refuses what breaks a rule": (stage) => {
    const { agent_id, task_id } = stage
    return answersOf(
      refusedBodies.map((body) => () => post(stage, "/executions", { agent_id, task_id, ...body }))
    )
  },

  "refuses what is no such request": (stage) =>
    answersOf([
      () => post(stage, "/executions", []),
      () => post(stage, "/executions", "x"),
      () => look(stage, "/nowhere"),
      () => stage.client.request({ method: "PUT", path: "/executions", body: {} }),
      () => stage.stranger.agents.list().page(),
      () => look(stage, "/executions/x"),
      () => look(stage, `/executions/${nobody}`),
      () => look(stage, `/executions/${nobody}?wait=61`),
      () => look(stage, `/executions/${nobody}?wait=x`),
      () => look(stage, "/executions?limit=0"),
      () => look(stage, "/executions?limit=201&status=late"),
      () => look(stage, "/executions?cursor=x"),
      () => look(stage, "/executions?from=yesterday"),
      () => look(stage, "/executions?colour=red"),
      () => look(stage, "/executions?limit=1e2"),
      () => look(stage, "/executions?reference=%zz&limit=1"),
      () => look(stage, "/tasks/00000000-0000-0000-0000-00000000000F"),
      () => post(stage, `/executions/${nobody}/cancel?validate_only=true`, undefined),
      () => post(stage, `/executions/${nobody}/cancel`, { reason: "" }),
      () => post(stage, `/executions/${nobody}/cancel`, { colour: "red" }),
      () => post(stage, `/executions/${nobody}/cancel`, undefined),
      () => post(stage, `/executions/${nobody}/release`, undefined),
      () => look(stage, `/executions/${nobody}/artifacts`),
      () => look(stage, `/executions/${nobody}/inputs`),
      () => look(stage, `/executions/${nobody}/files/${nobody}`)
    ]),

  "checks a request without queuing it": async (stage) => {
    const { agent_id, client, task_id } = stage
    return [
      ...(await answersOf([
        () => client.executions.validate({ agent_id, task_id }),
        () => client.executions.validate({ agent_id, task_id, params: { copies: "many" } })
      ])),
      await client.executions.list().page()
    ]
  },

  "repeats what an idempotency key has made": (stage) => {
    const { agent_id, client, task_id } = stage
    const options = { idempotencyKey: "order-1" }
    const params = { copies: 1 }
    return answersOf([
      () => client.executions.create({ agent_id, task_id, params }, options),
      () => client.executions.create({ params, task_id, agent_id, priority: 0 }, options),
      () => client.executions.create({ agent_id, task_id }, options),
      () => client.executions.create({ agent_id, task_id, v: 9 }, options),
      () => client.executions.create({ agent_id, task_id }, { idempotencyKey: "order 1" })
    ])
  },

  "runs to completion": async (stage) => {
    const { executions } = stage.client
    const id = await create(stage, { params: { copies: 1 } })
    await stage.start(id)
    const running = await executions.get(id)
    await stage.complete(id, { pages: 3 })
    const ended = [await executions.waitFor(id), await executions.get(id, { wait: 5 })]
    return [running, ...ended, await executions.cancel(id), await executions.release(id)]
  },

  "fails in the work's words": async (stage) => {
    const id = await create(stage)
    await stage.start(id)
    await stage.fail(id, "out of paper")
    return stage.client.executions.get(id)
  },

  "is stopped by its caller": async (stage) => {
    const { executions } = stage.client
    const queued = await create(stage)
    const first = await executions.cancel(queued, { reason: "enough" })
    const running = await create(stage)
    await stage.start(running)
    return [
      first,
      await executions.cancel(queued),
      await executions.get(queued),
      await executions.cancel(running),
      await executions.get(running)
    ]
  },

  "is held until it is released": async (stage) => {
    const { executions } = stage.client
    const id = await create(stage, { hold: true })
    return [await executions.get(id), await executions.release(id), await executions.release(id)]
  },

  "asks for input": async (stage) => {
    const { executions } = stage.client
    const execution_id = await create(stage)
    await stage.start(execution_id)
    const input_id = await stage.ask(execution_id)
    const asking = await executions.waitFor(execution_id, { until: "input" })
    const answers = await answersOf([
      () => executions.inputs(execution_id),
      () => executions.answer({ execution_id, input_id: nobody }, { value: "1234" }),
      () => executions.answer({ execution_id, input_id }, { value: 1_234 }),
      () => post(stage, `/executions/${execution_id}/inputs/${input_id}`, {}),
      () => executions.answer({ execution_id, input_id }, { value: "1234" }),
      () => executions.answer({ execution_id, input_id }, { value: "1234" }),
      () => executions.answer({ execution_id, input_id }, { value: "5678" }),
      () => executions.inputs(execution_id),
      () => executions.get(execution_id)
    ])
    return [asking, ...answers]
  },

  "no longer asks when it was stopped": async (stage) => {
    const { executions } = stage.client
    const execution_id = await create(stage)
    await stage.start(execution_id)
    const input_id = await stage.ask(execution_id)
    await executions.cancel(execution_id)
    return answersOf([
      () => executions.answer({ execution_id, input_id }, { value: "1234" }),
      () => executions.get(execution_id)
    ])
  },

  "lists what was asked for, page by page": async (stage) => {
    const { executions } = stage.client
    for (const reference of ["a", "b", "c"]) await create(stage, { reference })
    await executions.cancel((await executions.list({ reference: "b" }).toArray({ limit: 1 }))[0]?.id ?? "")
    const filters = [
      { limit: 2 },
      { status: "queued" },
      { status: ["queued", "aborted"], limit: 3 },
      { reference: "c", agent_id: stage.agent_id, task_id: stage.task_id },
      { agent_id: nobody },
      { from: "2999-01-01T00:00:00Z" },
      { to: "2999-01-01T00:00:00Z", limit: 1 }
    ] as const
    const first = await answersOf(filters.map((filter) => () => executions.list(filter).page()))
    const all = await executions.list({ limit: 2 }).toArray({ limit: 10 })
    return [...first, all.map(({ reference, status }) => [reference, status])]
  },

  "gives the files that runs capture": async (stage) => {
    const { executions, files } = stage.client
    const id = await create(stage)
    await stage.start(id)
    await stage.capture(id, "a report")
    await stage.complete(id, { pages: 1 })
    const execution = await executions.get(id)
    const [file] = execution.downloads
    const bytes = file === undefined ? null : await (await files.download(file)).text()
    return [execution, await executions.artifacts(id), bytes]
  },

  "tells receivers of every status": async (stage) => {
    const callback_url = stage.callbackUrl
    const completed = await create(stage, { callback_url, reference: "order-1", metadata: { for: "Ada" } })
    await stage.start(completed)
    await stage.ask(completed)
    await stage.client.executions.cancel(completed)
    const failed = await create(stage, { callback_url })
    await stage.start(failed)
    await stage.fail(failed, "out of paper")
    const chosen = await create(stage, { callback_url, callback_events: ["execution.completed"] })
    await stage.start(chosen)
    await stage.complete(chosen, { pages: 3 })
    return stage.events(7)
  },

  "tries out a receiver": async (stage) => {
    const answers = await answersOf([
      () => stage.client.webhooks.test({ callback_url: stage.callbackUrl }),
      () => post(stage, "/webhooks/test", { callback_url: "nowhere" }),
      () => post(stage, "/webhooks/test", {})
    ])
    return [...answers, await stage.events(1)]
  }
}
