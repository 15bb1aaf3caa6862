/** All that the service answers: callers, runners, operators, and the files of runs. */
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import { AccountHandlers } from "@runhook/http/admin/AccountHandlers"
import { AgentHandlers as AdminAgentHandlers } from "@runhook/http/admin/AgentHandlers"
import { AuditHandlers } from "@runhook/http/admin/AuditHandlers"
import { ChangeHandlers } from "@runhook/http/admin/ChangeHandlers"
import { DeliveryHandlers } from "@runhook/http/admin/DeliveryHandlers"
import { ExecutionHandlers as AdminExecutionHandlers } from "@runhook/http/admin/ExecutionHandlers"
import { KeyHandlers } from "@runhook/http/admin/KeyHandlers"
import { ReplayHandlers as AdminReplayHandlers } from "@runhook/http/admin/ReplayHandlers"
import { PeopleHandlers } from "@runhook/http/admin/PeopleHandlers"
import { RunnerKeyHandlers } from "@runhook/http/admin/RunnerKeyHandlers"
import { RunnerSessionHandlers } from "@runhook/http/admin/RunnerSessionHandlers"
import { SecretKeyHandlers } from "@runhook/http/admin/SecretKeyHandlers"
import { SessionHandlers } from "@runhook/http/admin/SessionHandlers"
import { TaskHandlers as AdminTaskHandlers } from "@runhook/http/admin/TaskHandlers"
import { UsageHandlers } from "@runhook/http/admin/UsageHandlers"
import {
  AdminAuthenticator,
  ApiKeyAuthenticator,
  RunnerAuthenticator
} from "@runhook/http/authentication/Authenticator"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import * as HostedFilesRoutes from "@runhook/http/documents/HostedFilesRoutes"
import { AgentHandlers, TaskHandlers } from "@runhook/http/integration/CatalogHandlers"
import { ExecutionHandlers } from "@runhook/http/integration/ExecutionHandlers"
import { ReplayHandlers } from "@runhook/http/integration/ReplayHandlers"
import { WebhookHandlers } from "@runhook/http/integration/WebhookHandlers"
import * as ApiRoutes from "@runhook/http/pipeline/ApiRoutes"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import { RunnerHandlers } from "@runhook/http/runner/RunnerHandlers"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"

const integration = ApiRoutes.layer(IntegrationApi, ApiKeyAuthenticator).pipe(
  Layer.provide([AgentHandlers, ExecutionHandlers, ReplayHandlers, TaskHandlers, WebhookHandlers])
)

const runner = ApiRoutes.layer(RunnerApi, RunnerAuthenticator).pipe(Layer.provide(RunnerHandlers))

const admin = ApiRoutes.layer(AdminApi, AdminAuthenticator).pipe(
  Layer.provide([
    AccountHandlers,
    AdminAgentHandlers,
    AdminExecutionHandlers,
    AdminReplayHandlers,
    AdminTaskHandlers,
    AuditHandlers,
    ChangeHandlers,
    DeliveryHandlers,
    KeyHandlers,
    PeopleHandlers,
    RunnerKeyHandlers,
    RunnerSessionHandlers,
    SecretKeyHandlers,
    SessionHandlers,
    UsageHandlers
  ])
)

export const layer = Layer.mergeAll(integration, runner, admin, HostedFilesRoutes.layer).pipe(
  Layer.provide(Authenticators.layer),
  Layer.provide([Pipeline.layer.pipe(Layer.provide(RequestIds.layer)), HttpServer.layerServices])
)
