/** The APIs with the handlers of all their groups and their OpenAPI documents, for every host. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { McpApi } from "@runhook/contract/McpApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as Layer from "effect/Layer"
import { AccountHandlers } from "./accounts/AccountHandlers.ts"
import * as AdminAgents from "./catalog/AgentHandlers.ts"
import { AuditHandlers } from "./audit/AuditHandlers.ts"
import { ChangeHandlers } from "./accounts/ChangeHandlers.ts"
import * as AdminExecutions from "./executions/AdminExecutionHandlers.ts"
import { KeyHandlers } from "./keys/AdminKeyHandlers.ts"
import { PeopleHandlers } from "./people/PeopleHandlers.ts"
import { RunnerKeyHandlers } from "./keys/RunnerKeyHandlers.ts"
import { RunnerSessionHandlers } from "./runs/RunnerSessionHandlers.ts"
import { SecretKeyHandlers } from "./keys/SecretKeyHandlers.ts"
import { SessionHandlers } from "./people/SessionHandlers.ts"
import * as AdminTasks from "./catalog/TaskHandlers.ts"
import { UsageHandlers } from "./usage/UsageHandlers.ts"
import {
  AdminAuthenticator,
  ApiKeyAuthenticator,
  RunnerAuthenticator
} from "./authentication/Authenticator.ts"
import * as HostedFilesRoutes from "./documents/HostedFilesRoutes.ts"
import * as KeySetRoutes from "./documents/KeySetRoutes.ts"
import * as OpenApiRoutes from "./documents/OpenApiRoutes.ts"
import { AgentHandlers, TaskHandlers } from "./catalog/CatalogHandlers.ts"
import { ExecutionHandlers } from "./executions/IntegrationExecutionHandlers.ts"
import { KeyHandlers as OwnKeyHandlers } from "./keys/KeyHandlers.ts"
import { McpHandlers } from "./mcp/McpHandlers.ts"
import * as ApiRoutes from "./pipeline/ApiRoutes.ts"
import { RunnerHandlers } from "./runs/RunnerHandlers.ts"
import { AdminAlertHandlers, AlertHandlers, ServiceAlertHandlers } from "./alerts/AlertHandlers.ts"
import { DeliveryHandlers, WebhookHandlers } from "./deliveries/DeliveryHandlers.ts"
import { AdminReplayHandlers, ReplayHandlers } from "./replays/ReplayHandlers.ts"
import { AdminScheduleHandlers, ScheduleHandlers } from "./schedules/ScheduleHandlers.ts"
import { AdminEndpointHandlers, EndpointHandlers } from "./endpoints/EndpointHandlers.ts"

export const integration = Layer.merge(
  ApiRoutes.layer(IntegrationApi, ApiKeyAuthenticator).pipe(
    Layer.provide([
      AgentHandlers,
      AlertHandlers,
      ExecutionHandlers,
      EndpointHandlers,
      OwnKeyHandlers,
      ReplayHandlers,
      ScheduleHandlers,
      TaskHandlers,
      WebhookHandlers
    ])
  ),
  OpenApiRoutes.layer(IntegrationApi, "/api/v1/integrations/openapi.json")
)

/** What the integration API does, for language models. */
export const mcp = ApiRoutes.layer(McpApi, ApiKeyAuthenticator).pipe(Layer.provide(McpHandlers))

export const runner = Layer.merge(
  ApiRoutes.layer(RunnerApi, RunnerAuthenticator).pipe(Layer.provide(RunnerHandlers)),
  OpenApiRoutes.layer(RunnerApi, "/api/v1/runner/openapi.json")
)

export const admin = Layer.merge(
  ApiRoutes.layer(AdminApi, AdminAuthenticator).pipe(
    Layer.provide([
      AccountHandlers,
      AdminAgents.AgentHandlers,
      AdminAlertHandlers,
      AdminEndpointHandlers,
      AdminExecutions.ExecutionHandlers,
      AdminReplayHandlers,
      AdminScheduleHandlers,
      AdminTasks.TaskHandlers,
      AuditHandlers,
      ChangeHandlers,
      DeliveryHandlers,
      KeyHandlers,
      PeopleHandlers,
      RunnerKeyHandlers,
      RunnerSessionHandlers,
      SecretKeyHandlers,
      ServiceAlertHandlers,
      SessionHandlers,
      UsageHandlers
    ])
  ),
  OpenApiRoutes.layer(AdminApi, "/api/v1/admin/openapi.json")
)

/** All of them, the keys that verify evidence, and the files of runs at a service that keeps them itself. */
export const layer = Layer.mergeAll(
  integration,
  mcp,
  runner,
  admin,
  HostedFilesRoutes.layer,
  KeySetRoutes.layer
)
