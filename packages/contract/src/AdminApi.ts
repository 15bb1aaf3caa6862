/** The admin API: what operators call. */
import * as HttpApi from "effect/http-api/HttpApi"
import {
  AccountEndpoints,
  KeyEndpoints,
  RunnerKeyEndpoints,
  SecretKeyEndpoints
} from "./accounts/AccountEndpoints.ts"
import { AuditEndpoints } from "./audit/AuditEndpoints.ts"
import { AdminAgentEndpoints, AdminTaskEndpoints } from "./catalog/AdminCatalogEndpoints.ts"
import { ChangeEndpoints } from "./accounts/ChangeEndpoints.ts"
import { AdminExecutionEndpoints } from "./executions/AdminExecutionEndpoints.ts"
import { ConsoleLinkEndpoints, ConsoleSessionEndpoints } from "./people/PeopleEndpoints.ts"
import { RunnerSessionEndpoints } from "./runs/RunnerSessionEndpoints.ts"
import { SessionEndpoints, SignInEndpoints } from "./people/SessionEndpoints.ts"
import { UsageEndpoints } from "./usage/UsageEndpoints.ts"
import { documentation } from "./OpenApiDocument.ts"
import { AdminAlertEndpoints, ServiceAlertEndpoints } from "./alerts/AlertEndpoints.ts"
import { DeliveryEndpoints } from "./deliveries/DeliveryEndpoints.ts"
import { AdminReplayEndpoints } from "./replays/ReplayEndpoints.ts"
import { AdminScheduleEndpoints } from "./schedules/ScheduleEndpoints.ts"
import { AdminStandingEndpoints } from "./endpoints/StandingEndpoints.ts"
import { EvidenceManifest } from "./evidence/EvidenceWire.ts"

export class AdminApi extends HttpApi.make("admin")
  .add(AccountEndpoints)
  .add(KeyEndpoints)
  .add(RunnerKeyEndpoints)
  .add(AdminAgentEndpoints)
  .add(AdminTaskEndpoints)
  .add(AdminExecutionEndpoints)
  .add(AdminScheduleEndpoints)
  .add(DeliveryEndpoints)
  .add(AdminReplayEndpoints)
  .add(AdminStandingEndpoints)
  .add(AdminAlertEndpoints)
  .add(ServiceAlertEndpoints)
  .add(ChangeEndpoints)
  .add(AuditEndpoints)
  .add(UsageEndpoints)
  .add(RunnerSessionEndpoints)
  .add(SecretKeyEndpoints)
  .add(SignInEndpoints)
  .add(SessionEndpoints)
  .add(ConsoleLinkEndpoints)
  .add(ConsoleSessionEndpoints)
  .annotateMerge(
    documentation({
      title: "Runhook admin API",
      description: "Accounts, keys, agents, tasks, executions and deliveries, as operators keep them.",
      path: "/api/v1/admin/openapi.json",
      schemas: [EvidenceManifest]
    })
  ) {}
