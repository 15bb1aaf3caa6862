/** The runner API: what runners call. */
import * as HttpApi from "effect/http-api/HttpApi"
import { describeStorage } from "./openapi/Storage.ts"
import { documentation } from "./OpenApiDocument.ts"
import { RunnerEndpoints } from "./runs/RunnerEndpoints.ts"

export class RunnerApi extends HttpApi.make("runner")
  .add(RunnerEndpoints)
  .annotateMerge(
    documentation({
      title: "Runhook runner API",
      description: "How a runner serves the executions of its agents.",
      path: "/api/v1/runner/openapi.json",
      extend: describeStorage
    })
  ) {}
