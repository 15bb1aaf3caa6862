import { assert, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { type Access, accessOf, DeclaredAccess } from "../src/Access.ts"
import { AdminApi } from "../src/AdminApi.ts"

const ofAccount = { params: { account_id: AccountId } }
const things = "/accounts/:account_id/things"

it("reading an account is for viewers, changing it for admins, and all else for operators", () => {
  assert.deepStrictEqual(
    [
      HttpApiEndpoint.get("list", things, ofAccount),
      HttpApiEndpoint.post("create", things, ofAccount),
      HttpApiEndpoint.patch("change", things, ofAccount),
      HttpApiEndpoint.put("replace", things, ofAccount),
      HttpApiEndpoint.delete("remove", things, ofAccount),
      HttpApiEndpoint.get("other", "/things"),
      HttpApiEndpoint.post("else", "/accounts")
    ].map(accessOf),
    ["viewer", "admin", "admin", "admin", "admin", "operator", "operator"]
  )
})

it("what an endpoint declares goes before its method", () => {
  const declaring = HttpApiEndpoint.post("check", things, ofAccount).annotate(DeclaredAccess, "viewer")

  assert.strictEqual(accessOf(declaring), "viewer")
})

/** Each endpoint that is open to others than its method says, so that none is by mistake. */
const declared: ReadonlyArray<readonly [string, Access]> = [
  ["GET /api/v1/admin/accounts", "member"],
  ["PATCH /api/v1/admin/accounts/:account_id", "operator"],
  ["DELETE /api/v1/admin/accounts/:account_id", "operator"],
  ["GET /api/v1/admin/session", "member"],
  ["DELETE /api/v1/admin/session", "member"],
  ["GET /api/v1/admin/accounts/:account_id/console-links", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/console-sessions", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/alert-targets", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/alert-targets/:id", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/webhooks/endpoints", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/webhooks/endpoints/:id", "admin"],
  ["GET /api/v1/admin/accounts/:account_id/webhooks/endpoints/:id/messages", "admin"],
  ["POST /api/v1/admin/accounts/:account_id/executions", "viewer"],
  ["POST /api/v1/admin/accounts/:account_id/executions/cancel", "viewer"],
  ["POST /api/v1/admin/accounts/:account_id/deliveries/replays", "viewer"],
  ["POST /api/v1/admin/accounts/:account_id/tasks/:task_id/versions", "viewer"]
]

it("endpoints of the admin API declare no more than is known here", () => {
  const found: Array<readonly [string, Access]> = []
  HttpApi.reflect(AdminApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const access = accessOf(endpoint)
      const { method, path } = endpoint
      if (access !== accessOf({ method, path, annotations: Context.empty() })) {
        found.push([`${method} ${path}`, access])
      }
    }
  })

  assert.sameDeepMembers(found, [...declared])
})
