/** What GET answers may be sent back to PATCH of the same thing, and changes nothing. */
import { assert, describe } from "@effect/vitest"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { TestClock } from "effect/testing"
import { operations } from "./Documented.ts"
import { partsOf } from "./documented/Requests.ts"
import { resolved } from "./documented/Schemas.ts"
import { id as someId } from "./Hosts.ts"
import { Host, test } from "./Service.ts"
import { makeTenant } from "./Tenant.ts"

const minute = "2030-01-01T00:00:00.000Z"
const webhook = { channel: "webhook", address: "https://hooks.example.com/a" }
const push = { kind: "push", url: "https://hooks.example.com/a?b=c" }

/** What stands for an id that the tenant has. */
const work = { agent_id: "agent", task_id: "task" }

/**
 * The things that are changed at a path, as they are made: by which requests, one after the other, and by whom. `null` is
 * what every tenant has. A new PATCH fails below until it has its line.
 */
const made: { readonly [path: string]: ReadonlyArray<unknown> | null } = {
  "": null,
  "/agents/{agent_id}": [
    { name: "Press 2", description: "In the cellar", labels: { floor: "-1" }, capacity: 3 }
  ],
  "/keys/{key_id}": [
    { name: "Unbound" },
    {
      name: "Bound",
      allowed_task_ids: ["task"],
      allowed_agent_ids: [],
      capabilities: ["executions:read"],
      expires_at: "2029-12-31T12:00:10Z",
      max_live: 5,
      rate_limit: { per_second: 1, burst: 2 }
    }
  ],
  "/tasks/{task_id}": [
    { slug: "plain", name: "Plain" },
    {
      slug: "full",
      name: "Full",
      platforms: [{ platform_id: someId, name: "Platform", handler: "h" }],
      timeout_seconds: 60,
      retry: { max_attempts: 3 }
    }
  ],
  "/alert-targets/{id}": [webhook, { ...webhook, paused_until: minute, kinds: ["no_runner"] }],
  "/executions/{id}": [
    work,
    { ...work, scheduled_at: minute, expires_at: "2031-01-01T00:00:00Z", priority: 7 },
    { ...work, hold: true }
  ],
  "/schedules/{id}": [
    { name: "Steps", every_seconds: 600, jitter_seconds: 30, execution: work },
    {
      name: "Steps",
      every_seconds: 600,
      starts_at: minute,
      ends_at: "2030-02-01T00:00:00Z",
      execution: work
    },
    { name: "Nights", cron: "30 2 * * *", time_zone: "Europe/Berlin", enabled: false, execution: work },
    {
      name: "Nights",
      cron: "30 2 * * *",
      time_zone: "Europe/Berlin",
      execution: {
        ...work,
        version: "current",
        reference: "order-1",
        metadata: { a: "b" },
        callback_url: push.url,
        callback_events: ["execution.completed"],
        concurrency_key: "k"
      }
    }
  ],
  "/webhooks/endpoints/{id}": [
    push,
    { kind: "poll", remove_after_seconds: 600, event_types: ["execution.completed"] }
  ]
}

/** The part of a path that is the same for keys, people and operators. */
const shortOf = (path: string): string =>
  path.replace(/^\/api\/v1\/(integrations|admin(\/accounts\/\{account_id\})?)/, "")

const makeService = Effect.fnUntraced(function* () {
  const host = yield* Host
  yield* TestClock.setTime(Date.parse("2029-12-31T12:00:00Z"))
  const tenant = yield* makeTenant()
  const known: { readonly [name: string]: string } = {
    account_id: tenant.account.id,
    agent_id: tenant.agent.id,
    key_id: tenant.key.id,
    task_id: tenant.task.id
  }
  const pathOf = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? name)
  const other = yield* tenant.admin.keys.create({ params: tenant.params, payload: { name: "Other" } })
  const send = Effect.fnUntraced(function* (
    method: string,
    path: string,
    { body, by = tenant.key }: { readonly body?: unknown; readonly by?: { readonly key: string } } = {}
  ) {
    const authorization = `Bearer ${isAdmin(path) ? adminKey : by.key}`
    const text = JSON.stringify(body)?.replaceAll('"agent"', `"${known["agent_id"]}"`)
    const answer = yield* host(path, {
      method,
      headers: { authorization, ...(text !== undefined && { "content-type": "application/json" }) },
      ...(text !== undefined && { body: text.replaceAll('"task"', `"${known["task_id"]}"`) })
    })
    const told = partOf(yield* Effect.promise((): Promise<unknown> => answer.json()))
    assert.include([200, 201], answer.status, `${method} ${path}: ${JSON.stringify(told["error"])}`)
    return told
  })
  /** The thing as it is shown: by itself, or in a list where it has no GET of its own. */
  const shown = Effect.fnUntraced(function* (path: string, one: string) {
    if (operations.some((each) => each.method === "GET" && each.path === path)) return yield* send("GET", one)
    const { data } = yield* send("GET", one.replace(/\/[^/]+$/, ""))
    const items = Array.isArray(data) ? data.map(partOf) : []
    return items.find(({ id }) => one.endsWith(String(id))) ?? assert.fail(`${one} is not listed`)
  })
  const countAudited = Effect.map(
    send("GET", `/api/v1/admin/accounts/${tenant.account.id}/audit?limit=100`),
    ({ data }) => (Array.isArray(data) ? data.length : assert.fail("there is no list"))
  )
  /** Who may change a thing: all keys of the account a schedule, which a real change gives to another key. */
  const changersOf = (path: string) =>
    shortOf(path) === "/schedules/{id}" ? [tenant.key, other] : [tenant.key]
  return { changersOf, countAudited, pathOf, send, shown }
})

const isAdmin = (path: string) => path.startsWith("/api/v1/admin/")

/** What does not count as a change. */
const lasting = (thing: Part): Part => Struct.omit(thing, ["request_id", "updated_at"])

const changing = operations.filter(({ method }) => method === "PATCH")

describe("what GET answers", () => {
  test.each(changing.map(({ path }) => path))(
    "can be sent back to PATCH %s, and changes nothing",
    function* (path) {
      const operation = changing.find((each) => each.path === path) ?? assert.fail(path)
      const { body } = partsOf(operation)
      const writable = Object.keys(partOf(partOf(resolved(operation.document, body ?? {}))["properties"]))
      const bodies = made[shortOf(path)]
      assert.isDefined(bodies, `say above how a thing is made at ${path}`)
      const { changersOf, countAudited, pathOf, send, shown } = yield* makeService()
      const parent = path.replace(/\/[^/]+$/, "")
      for (const each of bodies ?? [undefined]) {
        const named = each !== undefined && isAdmin(path) && /schedules|executions/.test(path)
        const asked = named ? { ...partOf(each), key_id: pathOf("{key_id}") } : each
        const thing = each === undefined ? {} : yield* send("POST", pathOf(parent), { body: asked })
        const id = thing["id"] ?? thing["execution_id"]
        const one = pathOf(id === undefined ? path : `${parent}/${String(id)}`)
        const before = yield* shown(path, one)
        const audited = yield* countAudited
        yield* TestClock.adjust("50 seconds")

        const fields = Object.entries(before).filter(([name]) => writable.includes(name))
        assert.isNotEmpty(fields)
        for (const by of changersOf(path)) {
          for (const [name, value] of fields) yield* send("PATCH", one, { body: { [name]: value }, by })
          yield* send("PATCH", one, { body: Object.fromEntries(fields), by })
        }

        assert.deepStrictEqual(lasting(yield* shown(path, one)), lasting(before))
        assert.strictEqual(yield* countAudited, audited)
      }
    }
  )
})
