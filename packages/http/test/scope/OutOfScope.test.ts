/**
 * Every operation that changes something, by a key whose tasks or agents do not cover the work that it names. An
 * operation that is added fails here until it stands in its table.
 */
import { assert, describe } from "@effect/vitest"
import type { ScheduleChangeBody } from "@runhook/contract/schedules/ScheduleWire"
import type { RescheduleBody } from "@runhook/contract/executions/HistoryWire"
import { partOf } from "@runhook/contract/openapi/Document"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import { type Operation, operations } from "../Documented.ts"
import { id as nothing, errorOf, jsonOf } from "../Hosts.ts"
import { test } from "../Service.ts"
import { makeOutsider, type Outsider, type Sending } from "./Outsider.ts"

type Request = readonly [path: string, body?: unknown]

/** What an operation does for such a key. */
type Row =
  /** It names work by its id: 403. */
  | { readonly refuses: (outsider: Outsider) => ReadonlyArray<Request> }
  /** It names a task and an agent for new work: 422. */
  | { readonly createsNone: (outsider: Outsider) => Request }
  /** It takes many at once, and of them what is in scope: none. */
  | { readonly finds: "expected" | "matched"; readonly body: unknown }
  /** It is about what belongs to the key itself, whatever the task. */
  | "own"

const api = "/api/v1/integrations"

const changesOfSchedule: Readonly<Record<keyof typeof ScheduleChangeBody.fields, unknown>> = {
  name: "Mine",
  cron: "* * * * *",
  time_zone: "Europe/Berlin",
  every_seconds: 1,
  starts_at: "2031-01-01T00:00:00Z",
  ends_at: "2031-01-01T00:00:00Z",
  overlap: "cancel_running",
  missed: "all",
  jitter_seconds: 7,
  enabled: false,
  execution: { params: {} }
}

const changesOfExecution: Readonly<Record<keyof typeof RescheduleBody.fields, unknown>> = {
  scheduled_at: null,
  priority: 200,
  expires_at: "2031-01-01T00:00:00Z"
}

const table: Readonly<Record<string, Row>> = {
  "POST /executions": { createsNone: ({ work }) => ["/executions", work] },
  "POST /executions/batch": { createsNone: ({ work }) => ["/executions/batch", { items: [work] }] },
  "POST /executions/cancel": { finds: "matched", body: { filter: {} } },
  "POST /executions/jobs/{id}/cancel": "own",
  "PATCH /executions/{id}": {
    refuses: ({ ids }) =>
      Object.entries(changesOfExecution).map(([field, value]) => [
        `/executions/${ids.queued}`,
        { [field]: value }
      ])
  },
  "POST /executions/{id}/cancel": {
    refuses: ({ ids }) => [ids.asking, ids.queued, ids.waiting].map((each) => [`/executions/${each}/cancel`])
  },
  "POST /executions/{id}/release": { refuses: ({ ids }) => [[`/executions/${ids.waiting}/release`]] },
  "POST /executions/{id}/rerun": {
    refuses: ({ ids }) => [
      [`/executions/${ids.asking}/rerun`],
      [`/executions/${ids.queued}/rerun`, { version: "current", params: {} }]
    ]
  },
  "POST /executions/{id}/inputs/{inputId}": {
    refuses: ({ ids }) => [[`/executions/${ids.asking}/inputs/${ids.input}`, { value: "1234" }]]
  },
  "POST /schedules": {
    createsNone: ({ work }) => ["/schedules", { name: "Mine", every_seconds: 60, execution: work }]
  },
  "PATCH /schedules/{id}": {
    refuses: ({ ids, work }) =>
      [ids.schedule, ids.byVersion].flatMap((each) => [
        ...Object.entries(changesOfSchedule).map(([field, value]): Request => [
          `/schedules/${each}`,
          { [field]: field === "execution" ? work : value }
        ]),
        [`/schedules/${each}`, { enabled: true }]
      ])
  },
  "DELETE /schedules/{id}": {
    refuses: ({ ids }) => [ids.schedule, ids.byVersion].map((each) => [`/schedules/${each}`])
  },
  "POST /schedules/{id}/trigger": {
    refuses: ({ ids }) => [ids.schedule, ids.byVersion].map((each) => [`/schedules/${each}/trigger`])
  },
  "POST /webhooks/deliveries/{id}/replay": {
    refuses: ({ ids }) => [[`/webhooks/deliveries/${ids.delivery}/replay`]]
  },
  "POST /webhooks/replays": { finds: "expected", body: {} },
  "POST /webhooks/replays/{id}/cancel": "own",
  "POST /webhooks/test": "own",
  "POST /webhooks/endpoints": "own",
  "PATCH /webhooks/endpoints/{id}": "own",
  "DELETE /webhooks/endpoints/{id}": "own",
  "POST /webhooks/endpoints/{id}/rotate": "own",
  "POST /webhooks/endpoints/{id}/test": "own",
  "POST /webhooks/endpoints/{id}/messages/ack": "own",
  "POST /alert-targets": "own",
  "PATCH /alert-targets/{id}": "own",
  "DELETE /alert-targets/{id}": "own",
  "POST /alert-targets/{id}/test": "own"
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path.replace(/^\/api\/v1\/\w+/, "")}`
const below = (name: string) => operations.filter(({ path }) => path.startsWith(`/api/v1/${name}/`))
const changes = ({ method }: Operation): boolean => method !== "GET"

const outOfScope = { reason: "scope" }

describe.each(["task", "agent"] as const)("A key that may not use the %s of some work", (lacking) => {
  test("changes nothing about it by the integration API, and creates no more of it", function* () {
    const outsider = yield* makeOutsider(lacking)
    const { seen, send } = outsider
    const before = yield* seen
    assert.sameMembers(below("integrations").filter(changes).map(nameOf), Object.keys(table))

    for (const operation of below("integrations").filter(changes)) {
      const name = nameOf(operation)
      const row = table[name] ?? "own"
      const sent = (path: string, body: unknown) => send(operation.method, `${api}${path}`, { body })
      if (row === "own") continue
      if ("refuses" in row) {
        for (const [path, body] of row.refuses(outsider)) {
          const answer = yield* sent(path, body)
          const { code, details } = yield* errorOf(answer)
          const said = { status: answer.status, code, details }
          const right = { status: 403, code: "forbidden", details: outOfScope }
          assert.deepStrictEqual(said, right, `${name} ${JSON.stringify(body)}`)
        }
      } else if ("createsNone" in row) {
        const answer = yield* Effect.flatMap(sent(...row.createsNone(outsider)), jsonOf)
        assert.include(JSON.stringify(answer), `"reason":"scope_violation","field":"${lacking}_id"`, name)
      } else {
        const found = yield* Effect.flatMap(sent(name.split(" ")[1] ?? "", row.body), jsonOf)
        assert.strictEqual(found[row.finds], 0, name)
      }
    }

    assert.deepStrictEqual(yield* seen, before)
  })

  test("is refused where an operator names it for new work, and may call nothing else of the other APIs", function* () {
    const outsider = yield* makeOutsider(lacking)
    const { id: key_id, ids, ofAccount, seen, send, work } = outsider
    const before = yield* seen
    const named: Readonly<Record<string, Sending["body"] | "own">> = {
      "POST /accounts/{account_id}/executions": { ...work, key_id },
      "POST /accounts/{account_id}/executions/{id}/rerun": { key_id },
      "POST /accounts/{account_id}/schedules": {
        name: "Mine",
        every_seconds: 60,
        execution: work,
        key_id
      },
      "PATCH /accounts/{account_id}/schedules/{id}": { every_seconds: 60, key_id },
      // Says whose deliveries are sent again, and whose secret signs a test.
      "POST /accounts/{account_id}/deliveries/replays": "own",
      "POST /accounts/{account_id}/webhooks/test": "own"
    }

    const inNames = below("admin").filter(changes).filter(takesKey)
    assert.sameMembers(inNames.map(nameOf), Object.keys(named))

    for (const operation of [...below("admin"), ...below("runner")].filter(changes)) {
      const { method, path } = operation
      const name = nameOf(operation)
      const answer = yield* send(method, path.replaceAll(/\{[^}]+\}/g, nothing), { body: {} })
      assert.notInclude([200, 201, 202, 204], answer.status, name)
      const body = named[name] ?? "own"
      if (body === "own" || !inNames.includes(operation)) continue
      const at = path
        .replace("/api/v1/admin/accounts/{account_id}", ofAccount)
        .replace("{id}", path.includes("schedules") ? ids.schedule : ids.queued)
      const { details } = yield* Effect.flatMap(send(method, at, { body, key: adminKey }), errorOf)
      assert.deepStrictEqual(details, { reason: "scope_violation", field: `${lacking}_id` }, name)
    }

    assert.deepStrictEqual(yield* seen, before)
  })
})

/** Whether the body names the key in whose name something is done. */
const takesKey = ({ description, document }: Operation): boolean => {
  const { $ref } = partOf(
    partOf(partOf(partOf(partOf(description["requestBody"])["content"])["application/json"])["schema"])
  )
  const name = String($ref).replace("#/components/schemas/", "")
  const schema = partOf(partOf(partOf(document["components"])["schemas"])[name])
  return "key_id" in partOf(schema["properties"])
}
