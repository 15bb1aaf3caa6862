/** The tasks and agents of the account, and the test of a receiver. */
import type { Agent } from "../wire/Integration.ts"
import { findTask, unknownVersion } from "./Creating.ts"
import { brokenRules, notFound } from "./Refused.ts"
import { callbackFault, noQuery, pageQuery, taskQuery, testBody, versionQuery } from "./RequestRules.ts"
import { bodyOf, checkQuery, pageOf, type Route } from "./Route.ts"
import type { KnownAgent, World } from "./World.ts"

export const tasks: Route = ({ query, world }) => {
  checkQuery(query, taskQuery)
  const part = query.get("q")?.toLowerCase() ?? ""
  const matches = world.tasks
    .map(({ task }) => task)
    .filter(({ name, slug }) => [name, slug].some((text) => text.toLowerCase().includes(part)))
  return { body: pageOf(query.has("tag") ? [] : matches, query) }
}

export const task: Route = ({ params, query, world }) => {
  checkQuery(query, noQuery)
  const { given, task: known } = findTask(world, params["id"] ?? "")
  return {
    body: {
      ...known,
      params_schema_url: `${world.apiRoot}/tasks/${known.id}/params-schema`,
      result_schema: given.resultSchema ?? null,
      timeout_seconds: given.timeoutSeconds ?? null,
      retry: { max_attempts: 1, initial_seconds: 1, factor: 2, max_seconds: 3_600, jitter: 0.2 }
    }
  }
}

export const paramsSchema: Route = ({ params, query, world }) => {
  checkQuery(query, versionQuery)
  const known = findTask(world, params["id"] ?? "")
  const v = query.get("v")
  const wanted = { v: v === null ? undefined : Number(v), version: query.get("version") ?? undefined }
  if (unknownVersion(known, wanted) !== undefined) throw notFound()
  return {
    body: {
      task_id: known.task.id,
      task_version_id: known.versionId,
      version_number: 1,
      schema: known.given.paramsSchema ?? { type: "object" }
    }
  }
}

export const agents: Route = ({ query, world }) => {
  checkQuery(query, pageQuery)
  return {
    body: pageOf(
      world.agents.map((agent) => shown(world, agent)),
      query
    )
  }
}

const shown = ({ clock, executions }: World, { createdAt, id, name }: KnownAgent): Agent => {
  const count = (...statuses: ReadonlyArray<string>) =>
    [...executions.values()].filter(
      ({ fields }) => fields.agent_id === id && statuses.includes(fields.status)
    ).length
  return {
    id,
    name,
    description: "",
    status: "online",
    labels: {},
    capacity: 10,
    busy: count("running", "awaiting_input"),
    queued: count("queued"),
    runners: 1,
    last_seen_at: clock.stamp(),
    created_at: createdAt,
    updated_at: createdAt
  }
}

export const testWebhook: Route = (asked) => {
  checkQuery(asked.query, noQuery)
  const { requestId, world } = asked
  const given = String(bodyOf(asked, testBody)["callback_url"])
  const fault = callbackFault(given)
  if (fault !== undefined) {
    throw brokenRules(422, [{ path: ["body", "callback_url"], message: `The callback URL ${fault}` }])
  }
  const event_id = world.clock.newId()
  const url = new URL(given).href
  world.sent.push({
    url,
    event: {
      event_id,
      type: "webhook.test",
      occurred_at: world.clock.stamp(),
      request_id: requestId,
      reference: "webhook-test",
      metadata: {},
      execution: null,
      message: "This is a test webhook. Your endpoint is reachable."
    }
  })
  return { status: 202, body: { event_id, delivery_id: event_id, status: "queued", callback_url: url } }
}
