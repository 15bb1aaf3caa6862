/** The agents and tasks of an account, as operators keep them. */
import { AccountId, AgentId, TaskId, TaskVersionId } from "@runhook/core/domain/Ids"
import { TagName } from "@runhook/core/domain/VersionSelector"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AdminAuthorization } from "../Authorization.ts"
import { Conflict, NotFound, Unprocessable } from "../Errors.ts"
import { RequestRules, RequestText } from "../RequestRules.ts"
import { AgentChangeBody, AgentDetail, AgentItem, NewAgentBody } from "../wire/AgentWire.ts"
import { pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  NewTaskBody,
  NewVersionBody,
  TaskChangeBody,
  TaskDetail,
  TaskItem,
  VersionInfo,
  VersionPublished,
  VersionRefBody
} from "../wire/TaskWire.ts"

const account = { account_id: AccountId }
const agent = { account_id: AccountId, agent_id: AgentId }
const task = { account_id: AccountId, task_id: TaskId }
const tag = { ...task, name: TagName }

export class AdminAgentEndpoints extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.post("create", "/agents", {
      params: account,
      payload: NewAgentBody,
      success: AgentDetail.pipe(HttpApiSchema.status(201)),
      error: NotFound
    }).annotate(OpenApi.Summary, "Create an agent"),
    HttpApiEndpoint.get("list", "/agents", {
      params: account,
      query: pageQuery(AgentId),
      success: pageOf("AgentPage", AgentItem),
      error: NotFound
    }).annotate(OpenApi.Summary, "List agents"),
    HttpApiEndpoint.get("get", "/agents/:agent_id", {
      params: agent,
      success: AgentDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Get an agent"),
    HttpApiEndpoint.patch("update", "/agents/:agent_id", {
      params: agent,
      payload: AgentChangeBody,
      success: AgentDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Change an agent"),
    HttpApiEndpoint.delete("remove", "/agents/:agent_id", {
      params: agent,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    }).annotate(OpenApi.Summary, "Remove an agent")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "What executions run on.") {}

export class AdminTaskEndpoints extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("create", "/tasks", {
      params: account,
      payload: NewTaskBody,
      success: TaskDetail.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    }).annotate(OpenApi.Summary, "Create a task"),
    HttpApiEndpoint.get("list", "/tasks", {
      params: account,
      query: pageQuery(TaskId),
      success: pageOf("TaskPage", TaskItem),
      error: NotFound
    }).annotate(OpenApi.Summary, "List tasks"),
    HttpApiEndpoint.get("get", "/tasks/:task_id", {
      params: task,
      success: TaskDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Get a task"),
    HttpApiEndpoint.patch("update", "/tasks/:task_id", {
      params: task,
      payload: TaskChangeBody,
      success: TaskDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Change a task"),
    HttpApiEndpoint.post("publish", "/tasks/:task_id/versions", {
      params: task,
      payload: NewVersionBody,
      success: VersionPublished.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Unprocessable]
    }).annotate(OpenApi.Summary, "Publish a version"),
    HttpApiEndpoint.get("versions", "/tasks/:task_id/versions", {
      params: task,
      query: pageQuery(TaskVersionId),
      success: pageOf("TaskVersionPage", VersionInfo),
      error: NotFound
    }).annotate(OpenApi.Summary, "List versions"),
    HttpApiEndpoint.put("moveTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      payload: VersionRefBody,
      success: TaskDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Let a tag name a version"),
    HttpApiEndpoint.delete("removeTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }).annotate(OpenApi.Summary, "Remove a tag"),
    HttpApiEndpoint.put("setCurrent", "/tasks/:task_id/current", {
      params: task,
      payload: VersionRefBody,
      success: TaskDetail,
      error: NotFound
    }).annotate(OpenApi.Summary, "Make a version current")
  )
  .middleware(RequestText)
  .middleware(AdminAuthorization)
  .middleware(RequestRules)
  .prefix("/api/v1/admin/accounts/:account_id")
  .annotate(OpenApi.Description, "What can be run, in versions.") {}
