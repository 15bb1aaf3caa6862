import { assert, it } from "@effect/vitest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { AdminApi } from "../src/AdminApi.ts"
import { IntegrationApi } from "../src/IntegrationApi.ts"
import { RunnerApi } from "../src/RunnerApi.ts"
import { takesTurns } from "../src/Turns.ts"

const inTurn: Array<string> = []
const noting = {
  onGroup: () => {},
  onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    if (takesTurns(endpoint)) inTurn.push(`${endpoint.method} ${endpoint.path.replace("/api/v1", "")}`)
  }
}
HttpApi.reflect(IntegrationApi, noting)
HttpApi.reflect(RunnerApi, noting)
HttpApi.reflect(AdminApi, noting)

it("every list of every API takes turns, and so does what counts or changes much at once", () => {
  assert.sameMembers(inTurn, [
    "GET /integrations/executions",
    "POST /integrations/executions/cancel",
    "GET /integrations/executions/:id/explain",
    "GET /integrations/executions/:id/evidence",
    "GET /integrations/schedules",
    "GET /integrations/tasks",
    "GET /integrations/agents",
    "GET /integrations/me",
    "GET /integrations/webhooks/deliveries",
    "POST /integrations/webhooks/replays",
    "GET /integrations/webhooks/replays",
    "GET /admin/accounts",
    "GET /admin/accounts/:account_id/console-links",
    "GET /admin/accounts/:account_id/console-sessions",
    "GET /admin/accounts/:account_id/keys",
    "GET /admin/accounts/:account_id/keys/:key_id",
    "GET /admin/accounts/:account_id/runner-keys",
    "POST /admin/accounts/:account_id/agents",
    "GET /admin/accounts/:account_id/agents",
    "PATCH /admin/accounts/:account_id/agents/:agent_id",
    "GET /admin/accounts/:account_id/tasks",
    "GET /admin/accounts/:account_id/tasks/:task_id/versions",
    "GET /admin/accounts/:account_id/executions",
    "POST /admin/accounts/:account_id/executions/cancel",
    "GET /admin/accounts/:account_id/executions/:id/explain",
    "GET /admin/accounts/:account_id/executions/:id/evidence",
    "GET /admin/accounts/:account_id/schedules",
    "GET /admin/accounts/:account_id/deliveries",
    "GET /admin/accounts/:account_id/dead-letters",
    "POST /admin/accounts/:account_id/deliveries/replays",
    "GET /admin/accounts/:account_id/webhooks/replays",
    "GET /admin/accounts/:account_id/audit",
    "GET /admin/accounts/:account_id/usage",
    "GET /admin/accounts/:account_id/receivers",
    "GET /admin/accounts/:account_id/overview",
    "GET /admin/accounts/:account_id/sessions",
    "GET /admin/accounts/:account_id/agents/:agent_id/sessions"
  ])
})
