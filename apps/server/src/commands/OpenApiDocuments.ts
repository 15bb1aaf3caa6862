/** The OpenAPI document of each API. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as OpenApi from "effect/http-api/OpenApi"

export const documents = {
  integration: () => OpenApi.fromApi(IntegrationApi),
  runner: () => OpenApi.fromApi(RunnerApi),
  admin: () => OpenApi.fromApi(AdminApi)
}
