/** Every change of agents and tasks that the audit log tells of. */
import {
  agentCreated,
  agentRemoved,
  agentUpdated,
  currentVersionSet,
  type NamedVersion,
  type Naming,
  runnerDrained,
  type TaggedVersion,
  tagMoved,
  tagRemoved,
  taskCreated,
  taskUpdated,
  versionPublished
} from "@runhook/core/audit/CatalogEvents"
import type { Task } from "@runhook/core/catalog/Task"
import { AgentId, newId } from "@runhook/core/shared/Ids"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { TaskStore } from "@runhook/core/catalog/TaskStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import {
  makeAccount,
  makeAgent,
  makeTask,
  makeVersion,
  newTask,
  newVersion
} from "../catalog/CatalogFixtures.ts"
import { makeTenant, second as secondAt } from "../Fixtures.ts"
import { makeSession } from "../runs/RunFixtures.ts"
import { type Arrangement, by, jana } from "./AuditFixtures.ts"

const makeOwnAgent = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* makeAccount()
  const agents = yield* AgentStore
  const agent = yield* makeAgent(accountId)
  const { createdAt: at, id } = agent
  return {
    agents,
    at,
    which: { accountId, id },
    shown: {
      accountId,
      subject: { kind: "agent", id, name: agent.name } as const,
      seen: Effect.option(agents.find(accountId, id))
    }
  }
})

const createAgent: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const agents = yield* AgentStore
  const id = yield* newId(AgentId)
  const at = yield* DateTime.now
  const fields = {
    name: "Clerk",
    description: "",
    labels: { site: "Essen" },
    capacity: 2,
    state: "active" as const
  }
  return {
    accountId,
    act: (actor) =>
      agents.create({ ...fields, accountId, id, createdAt: at, updatedAt: at }, by(actor, agentCreated)),
    seen: Effect.option(agents.find(accountId, id)),
    action: "agent.created",
    subject: { kind: "agent", id, name: "Clerk" },
    before: null,
    after: fields
  }
})

const updateAgent: Arrangement = Effect.gen(function* () {
  const { agents, at, shown, which } = yield* makeOwnAgent()
  return {
    ...shown,
    act: (actor) =>
      agents.update({
        ...which,
        at,
        change: { capacity: 7, name: "Clerk" },
        audit: by(actor, agentUpdated)
      }),
    action: "agent.updated",
    before: { capacity: 1 },
    after: { capacity: 7 }
  }
})

const removeAgent: Arrangement = Effect.gen(function* () {
  const { agents, shown, which } = yield* makeOwnAgent()
  return {
    ...shown,
    act: (actor) => agents.remove({ ...which, audit: by(actor, agentRemoved) }),
    action: "agent.removed",
    before: { name: "Clerk", description: "", labels: {}, capacity: 1, state: "active" },
    after: null
  }
})

const makeOwnTask = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* makeAccount()
  const tasks = yield* TaskStore
  const task = yield* makeTask(accountId)
  const first = yield* makeVersion(task, { tags: ["stable"] })
  const second = yield* makeVersion(task, { makeCurrent: false })
  return {
    at: DateTime.add(task.createdAt, { minutes: 1 }),
    first,
    second,
    task,
    tasks,
    which: { accountId, taskId: task.id },
    shown: {
      accountId,
      subject: { kind: "task", id: task.id, name: task.name } as const,
      seen: tasks.get(accountId, task.id)
    }
  }
})

const createTask: Arrangement = Effect.gen(function* () {
  const { id: accountId } = yield* makeAccount()
  const tasks = yield* TaskStore
  const task = yield* newTask(accountId, { timeoutSeconds: 60 })
  return {
    accountId,
    act: (actor) => tasks.create(task, by(actor, taskCreated)),
    seen: Effect.option(tasks.get(accountId, task.id)),
    action: "task.created",
    subject: { kind: "task", id: task.id, name: task.name },
    before: null,
    after: {
      slug: task.slug,
      name: task.name,
      description: "",
      platforms: [],
      timeout_seconds: 60,
      retry: { max_attempts: 1, initial_seconds: 0, factor: 1, max_seconds: 0, jitter: 0 },
      enabled: true
    }
  }
})

const updateTask: Arrangement = Effect.gen(function* () {
  const { at, shown, task, tasks } = yield* makeOwnTask()
  return {
    ...shown,
    act: (actor) =>
      tasks.update({
        accountId: task.accountId,
        id: task.id,
        change: { enabled: false },
        at,
        audit: by(actor, taskUpdated)
      }),
    action: "task.updated",
    before: { enabled: true },
    after: { enabled: false }
  }
})

const publishVersion: Arrangement = Effect.gen(function* () {
  const { shown, task, tasks } = yield* makeOwnTask()
  const version = yield* newVersion(task)
  return {
    ...shown,
    act: (actor) => {
      const audit = by(actor, (of: Task, published: TaggedVersion) =>
        versionPublished(of, { ...published, isCurrent: true })
      )
      return tasks.publish({ version, tags: ["stable"], makeCurrent: true, audit })
    },
    action: "task.version_published",
    before: null,
    after: { version_id: version.id, number: 3, tags: ["stable"], is_current: true }
  }
})

const moveTag: Arrangement = Effect.gen(function* () {
  const { at, first, second, shown, tasks, which } = yield* makeOwnTask()
  return {
    ...shown,
    act: (actor) => {
      const audit = by(actor, (task: Task, naming: Naming) => tagMoved(task, { ...naming, name: "stable" }))
      return tasks.moveTag({ ...which, name: "stable", versionId: second.id, at, audit })
    },
    action: "task.tag_moved",
    before: { tag: "stable", version_id: first.id, number: 1 },
    after: { tag: "stable", version_id: second.id, number: 2 }
  }
})

const giveTag: Arrangement = Effect.gen(function* () {
  const { at, second, shown, tasks, which } = yield* makeOwnTask()
  return {
    ...shown,
    act: (actor) => {
      const audit = by(actor, (task: Task, naming: Naming) => tagMoved(task, { ...naming, name: "canary" }))
      return tasks.moveTag({ ...which, name: "canary", versionId: second.id, at, audit })
    },
    action: "task.tag_moved",
    before: null,
    after: { tag: "canary", version_id: second.id, number: 2 }
  }
})

const removeTag: Arrangement = Effect.gen(function* () {
  const { at, first, shown, tasks, which } = yield* makeOwnTask()
  return {
    ...shown,
    act: (actor) => {
      const audit = by(actor, (task: Task, before: NamedVersion) =>
        tagRemoved(task, { before, name: "stable" })
      )
      return tasks.removeTag({ ...which, name: "stable", at, audit })
    },
    action: "task.tag_removed",
    before: { tag: "stable", version_id: first.id, number: 1 },
    after: null
  }
})

const setCurrent: Arrangement = Effect.gen(function* () {
  const { at, first, second, shown, tasks, which } = yield* makeOwnTask()
  return {
    ...shown,
    act: (actor) =>
      tasks.setCurrent({ ...which, versionId: second.id, at, audit: by(actor, currentVersionSet) }),
    action: "task.current_version_set",
    before: { version_id: first.id, number: 1 },
    after: { version_id: second.id, number: 2 }
  }
})

const drainRunner: Arrangement = Effect.gen(function* () {
  const runs = yield* RunStore
  const session = yield* makeSession(yield* makeTenant())
  const { accountId, id, runnerName } = session
  return {
    accountId,
    act: (actor) => runs.drainSession({ accountId, id, at: secondAt(7), audit: by(actor, runnerDrained) }),
    seen: Effect.option(runs.getSession(session)),
    action: "runner.drained",
    subject: { kind: "runner", id, name: runnerName },
    before: null,
    after: { drain_requested_at: DateTime.formatIso(secondAt(7)) }
  }
})

export const changes: Readonly<Record<string, Arrangement>> = {
  "a new agent": createAgent,
  "a changed agent": updateAgent,
  "a removed agent": removeAgent,
  "a runner that is to leave": drainRunner,
  "a new task": createTask,
  "a changed task": updateTask,
  "a published version": publishVersion,
  "a moved tag": moveTag,
  "a new tag": giveTag,
  "a removed tag": removeTag,
  "another current version": setCurrent
}

/** Changes that find their work done, or nothing to work on: nobody is told of them. */
export const repeats: Readonly<Record<string, Arrangement>> = {
  "a runner that was asked before": Effect.tap(drainRunner, ({ act }) => act(jana)),
  "an agent that stays as it is": Effect.tap(updateAgent, ({ act }) => act(jana)),
  "an agent that is gone": Effect.map(
    Effect.tap(removeAgent, ({ act }) => act(jana)),
    ({ act, ...removed }) => ({
      ...removed,
      act: (actor) => Effect.flip(act(actor))
    })
  ),
  "a slug that is taken": Effect.gen(function* () {
    const { shown, task, tasks } = yield* makeOwnTask()
    const other = yield* newTask(task.accountId, { slug: task.slug })
    return {
      ...(yield* createTask),
      ...shown,
      act: (actor) => Effect.flip(tasks.create(other, by(actor, taskCreated)))
    }
  }),
  "a tag that names the version already": Effect.tap(moveTag, ({ act }) => act(jana)),
  "a tag that is gone": Effect.map(
    Effect.tap(removeTag, ({ act }) => act(jana)),
    ({ act, ...removed }) => ({
      ...removed,
      act: (actor) => Effect.flip(act(actor))
    })
  ),
  "the same current version": Effect.tap(setCurrent, ({ act }) => act(jana))
}
