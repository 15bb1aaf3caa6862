/** The OpenAPI documents, by their path beside the SDK: a change of the contract shows in them. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as OpenApi from "effect/http-api/OpenApi"

const textOf = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`

export const documentFiles: Readonly<Record<string, string>> = {
  "../../openapi/integration.json": textOf(OpenApi.fromApi(IntegrationApi)),
  "../../openapi/admin.json": textOf(OpenApi.fromApi(AdminApi)),
  "../../openapi/runner.json": textOf(OpenApi.fromApi(RunnerApi))
}
