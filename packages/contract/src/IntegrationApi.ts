/** The integration API: what outside systems call. */
import * as Function from "effect/Function"
import * as HttpApi from "effect/http-api/HttpApi"
import { AgentEndpoints, TaskEndpoints } from "./catalog/CatalogEndpoints.ts"
import { ExecutionEndpoints } from "./executions/IntegrationExecutionEndpoints.ts"
import { KeyEndpoints } from "./keys/KeyEndpoints.ts"
import { describeKeySet } from "./openapi/KeySet.ts"
import { describeWebhooks } from "./openapi/Webhooks.ts"
import { documentation } from "./OpenApiDocument.ts"
import { AlertEndpoints } from "./alerts/AlertEndpoints.ts"
import { WebhookEndpoints } from "./deliveries/DeliveryEndpoints.ts"
import { ReplayEndpoints } from "./replays/ReplayEndpoints.ts"
import { ScheduleEndpoints } from "./schedules/ScheduleEndpoints.ts"
import { StandingEndpoints } from "./endpoints/StandingEndpoints.ts"
import { EvidenceManifest } from "./evidence/EvidenceWire.ts"
import { ExecutionEvent, TestEvent } from "./deliveries/WebhookWire.ts"

export class IntegrationApi extends HttpApi.make("integration")
  .add(ExecutionEndpoints)
  .add(ScheduleEndpoints)
  .add(TaskEndpoints)
  .add(AgentEndpoints)
  .add(WebhookEndpoints)
  .add(ReplayEndpoints)
  .add(StandingEndpoints)
  .add(AlertEndpoints)
  .add(KeyEndpoints)
  .annotateMerge(
    documentation({
      title: "Runhook integration API",
      description:
        "Queue task executions on agents, follow them, fetch what they captured, and get signed callbacks when they are queued, start and end.",
      path: "/api/v1/integrations/openapi.json",
      schemas: [EvidenceManifest, ExecutionEvent, TestEvent],
      extend: Function.flow(describeWebhooks, describeKeySet)
    })
  ) {}
