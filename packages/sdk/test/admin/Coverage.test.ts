/** Every endpoint of the admin API through the client, against the service as it really runs. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NotFoundError, RunhookAdmin, UnauthorizedError } from "../../src/admin/Admin.ts"
import { json, startServer } from "../call/RawServer.ts"
import { type Office, openOffice } from "./Office.ts"
import type { Ways } from "./Ways.ts"
import { activityWays } from "./ways/Activity.ts"
import { alertWays } from "./ways/Alerts.ts"
import { catalogWays } from "./ways/Catalog.ts"
import { endpointWays } from "./ways/Endpoints.ts"
import { executionWays } from "./ways/Executions.ts"
import { keyWays } from "./ways/Keys.ts"
import { scheduleWays } from "./ways/Schedules.ts"
import { sessionWays } from "./ways/Sessions.ts"
import { usageWays } from "./ways/Usage.ts"

const ways: Ways = {
  ...keyWays,
  ...catalogWays,
  ...activityWays,
  ...executionWays,
  ...scheduleWays,
  ...sessionWays,
  ...usageWays,
  ...alertWays,
  ...endpointWays
}

const endpoints = Object.values(AdminApi.groups)
  .flatMap(({ endpoints: each }) => Object.values(each))
  .map(({ method, path }) => `${method} ${path.replace("/api/v1/admin", "")}`)

/** Whether a request is one of that endpoint. */
const isOf = (endpoint: string) => new RegExp(`^${endpoint.replaceAll(/:\w+/g, "[^/]+")}$`)

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterAll(() => office[Symbol.asyncDispose]())

describe("the client of the admin API", () => {
  it.each(endpoints)("calls %s", async (endpoint) => {
    const way = ways[endpoint]
    assert(way, `the client has no method for ${endpoint}`)

    await way(office)

    assert.match(office.requests.at(-1) ?? "", isOf(endpoint))
  })

  it("has no call for what there is not", () => {
    assert.sameMembers(Object.keys(ways), endpoints)
  })

  it("refuses as the service does", async () => {
    const { account, admin, service } = office
    const stranger = new RunhookAdmin({ baseUrl: service.url, adminKey: "k".repeat(32), retries: 0 })

    const missing: unknown = await admin
      .account("0192f0c1-2d3e-7abc-8def-0123456789ab")
      .keys.list()
      .page()
      .catch((cause: unknown) => cause)
    const locked: unknown = await stranger
      .account(account.id)
      .keys.list()
      .page()
      .catch((cause: unknown) => cause)

    assert.instanceOf(missing, NotFoundError)
    assert.instanceOf(locked, UnauthorizedError)
  })

  it("sends no key in the name of who is signed in, and says that it is the page", async () => {
    await using server = await startServer(json(200, { data: [], next_cursor: null }))
    const seen: Array<Headers> = []
    const admin = new RunhookAdmin({
      baseUrl: server.url,
      session: true,
      fetch: (input, init) => {
        seen.push(new Headers(init?.headers))
        return fetch(input, init)
      }
    })

    await admin.accounts.list().page()

    assert.deepStrictEqual(
      seen.map((headers) => [headers.get("authorization"), headers.get("x-runhook-console")]),
      [[null, "1"]]
    )
  })
})
