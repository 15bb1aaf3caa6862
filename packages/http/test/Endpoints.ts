/** Every endpoint of the contract, for tests of what all of them refuse. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { Host } from "./Service.ts"
import { makeTenant } from "./Tenant.ts"

export const nobody = "00000000-0000-0000-0000-000000000000"

interface Endpoint {
  readonly api: string
  readonly method: string
  /** With ids of nothing for its parameters. */
  readonly path: string
  readonly takesBody: boolean
}

const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path, payload } }) =>
      found.push({
        api: api.identifier,
        method,
        path: path.replaceAll(/:\w+/g, nobody),
        takesBody: payload.size > 0
      })
  })
  return found
}

export const endpoints = [...endpointsOf(AdminApi), ...endpointsOf(IntegrationApi), ...endpointsOf(RunnerApi)]

export const bearer = (key: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
})

/** Sends a request as one of the tenant's. */
export const tenantHost = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const send = yield* Host
  const keyOf: Record<string, string> = {
    admin: adminKey,
    integration: tenant.key.key,
    runner: tenant.runnerKey.key
  }
  return {
    tenant,
    send: (api: string, path: string, init?: RequestInit) => send(path, bearer(keyOf[api] ?? "", init))
  }
})
