/** `runhook openapi`: the documents that a server would serve. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as OpenApi from "effect/http-api/OpenApi"

const documents = {
  integration: () => OpenApi.fromApi(IntegrationApi),
  runner: () => OpenApi.fromApi(RunnerApi),
  admin: () => OpenApi.fromApi(AdminApi)
}

export const openapiCommand = Command.make(
  "openapi",
  {
    api: Argument.Literals("api", ["integration", "runner", "admin"]).pipe(
      Argument.withDescription("Which of the APIs"),
      Argument.withDefault("integration")
    )
  },
  ({ api }) => Console.log(JSON.stringify(documents[api](), null, 2))
).pipe(Command.withDescription("Print the OpenAPI document of an API"))
