/** The agents and tasks of an account, as operators keep them. */
import { TagName } from "@runhook/core/domain/catalog/VersionSelector"
import { AccountId, AgentId, TaskId, TaskVersionId } from "@runhook/core/domain/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { account, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { calledAs } from "../Call.ts"
import { Conflict, Forbidden, NotFound, TooManyRequests, Unprocessable } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { AgentChangeBody, AgentDetail, AgentItem, NewAgentBody } from "../wire/AgentWire.ts"
import { described } from "../wire/Described.ts"
import { pageOf, pageQuery } from "../wire/Envelope.ts"
import {
  NewTaskBody,
  NewVersionBody,
  TaskChangeBody,
  TaskDetail,
  TaskItem,
  VersionDetail,
  VersionInfo,
  VersionPublished,
  VersionRefBody,
  WouldPublish
} from "../wire/TaskWire.ts"
import { Compressible } from "../Compression.ts"

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
    })
      .annotateMerge(
        calledAs({
          path: "agents.create",
          example: 'const { id } = await account.agents.create({ name: "Portal", capacity: 4 })'
        })
      )
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Create an agent")
      .annotate(
        OpenApi.Description,
        "Makes an agent, on which executions run as soon as a runner serves it."
      ),
    HttpApiEndpoint.get("list", "/agents", {
      params: account,
      query: pageQuery,
      success: pageOf("AgentPage", AgentItem),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "agents.list",
          kind: "list",
          example:
            "for await (const { name, busy, capacity } of account.agents.list()) console.log(name, busy, capacity)"
        })
      )
      .annotate(Compressible, true)
      .annotate(OpenApi.Summary, "List agents")
      .annotate(OpenApi.Description, "The agents of the account, newest first, and how busy they are."),
    HttpApiEndpoint.get("get", "/agents/:agent_id", {
      params: agent,
      success: AgentDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "agents.get",
          example: "const { status, runners } = await account.agents.get(id)"
        })
      )
      .annotate(OpenApi.Summary, "Get an agent")
      .annotate(OpenApi.Description, "One agent, and how busy it is."),
    HttpApiEndpoint.patch("update", "/agents/:agent_id", {
      params: agent,
      payload: AgentChangeBody,
      success: AgentDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "agents.update",
          example: 'await account.agents.update(id, { state: "paused" })'
        })
      )
      .annotate(TakesTurns, true)
      .annotate(OpenApi.Summary, "Change an agent")
      .annotate(
        OpenApi.Description,
        "Changes what the body names: name, labels, capacity, or whether it is paused or disabled."
      ),
    HttpApiEndpoint.delete("remove", "/agents/:agent_id", {
      params: agent,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotateMerge(calledAs({ path: "agents.remove", example: "await account.agents.remove(id)" }))
      .annotate(OpenApi.Summary, "Remove an agent")
      .annotate(OpenApi.Description, "Removes an agent that has no unfinished executions.")
  )
  .annotate(OpenApi.Description, "What executions run on.")
  .pipe(inAccount) {}

export class AdminTaskEndpoints extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("create", "/tasks", {
      params: account,
      payload: NewTaskBody,
      success: TaskDetail.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    })
      .annotateMerge(
        calledAs({
          path: "tasks.create",
          example: 'const { id } = await account.tasks.create({ slug: "print", name: "Print a page" })'
        })
      )
      .annotate(OpenApi.Summary, "Create a task")
      .annotate(OpenApi.Description, "Makes a task. It can be executed once a version of it is published."),
    HttpApiEndpoint.get("list", "/tasks", {
      params: account,
      query: pageQuery,
      success: pageOf("TaskPage", TaskItem),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.list",
          kind: "list",
          example: "for await (const { id, slug } of account.tasks.list()) console.log(id, slug)"
        })
      )
      .annotate(Compressible, true)
      .annotate(OpenApi.Summary, "List tasks")
      .annotate(OpenApi.Description, "The tasks of the account, newest first."),
    HttpApiEndpoint.get("get", "/tasks/:task_id", {
      params: task,
      success: TaskDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.get",
          example: "const { retry, timeout_seconds } = await account.tasks.get(id)"
        })
      )
      .annotate(OpenApi.Summary, "Get a task")
      .annotate(OpenApi.Description, "A task with its current version, its tags and its policies."),
    HttpApiEndpoint.patch("update", "/tasks/:task_id", {
      params: task,
      payload: TaskChangeBody,
      success: TaskDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.update",
          example: "await account.tasks.update(id, { enabled: false })"
        })
      )
      .annotate(OpenApi.Summary, "Change a task")
      .annotate(
        OpenApi.Description,
        "Changes what the body names. Versions, which hold the schemas, never change."
      ),
    HttpApiEndpoint.post("publish", "/tasks/:task_id/versions", {
      params: task,
      query: {
        validate_only: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` checks the schemas and publishes nothing.")
        )
      },
      payload: NewVersionBody,
      success: [VersionPublished.pipe(HttpApiSchema.status(201)), WouldPublish],
      error: [Forbidden, NotFound, TooManyRequests, Unprocessable]
    })
      .annotateMerge(
        calledAs(
          {
            path: "tasks.publish",
            says: "Publishes a version, and makes it current unless told otherwise. A version never changes again.",
            answers: [VersionPublished],
            example:
              'const { number } = await account.tasks.publish(id, { params_schema: { type: "object" }, tags: ["stable"] })'
          },
          {
            path: "tasks.wouldPublish",
            says: "Checks the schemas of a version and publishes nothing.",
            fails: { invalid_params: "they cannot be used" },
            isRepeatable: true,
            query: { validate_only: true },
            answers: [WouldPublish],
            example: 'await account.tasks.wouldPublish(id, { params_schema: { type: "object" } })'
          }
        )
      )
      .annotate(OpenApi.Summary, "Publish a version")
      .annotate(
        OpenApi.Description,
        "Publishes a version of the task, and makes it current unless told otherwise. A version never changes again. `validate_only=true` checks its schemas and stores nothing."
      )
      // Checks are for viewers; the handler requires more when a version is published.
      .annotate(DeclaredAccess, "viewer"),
    HttpApiEndpoint.get("versions", "/tasks/:task_id/versions", {
      params: task,
      query: pageQuery,
      success: pageOf("TaskVersionPage", VersionInfo),
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.versions",
          kind: "list",
          example:
            "for await (const { number, tags } of account.tasks.versions(id)) console.log(number, tags)"
        })
      )
      .annotate(Compressible, true)
      .annotate(OpenApi.Summary, "List versions")
      .annotate(OpenApi.Description, "The versions of the task, newest first."),
    HttpApiEndpoint.get("version", "/tasks/:task_id/versions/:version_id", {
      params: { ...task, version_id: TaskVersionId },
      success: VersionDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.version",
          example: "const { params_schema } = await account.tasks.version({ task_id, version_id })"
        })
      )
      .annotate(OpenApi.Summary, "Get a version")
      .annotate(OpenApi.Description, "One version of the task, with its schemas."),
    HttpApiEndpoint.put("moveTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      payload: VersionRefBody,
      success: TaskDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.moveTag",
          example: 'await account.tasks.moveTag({ task_id, name: "stable" }, { version_id })'
        })
      )
      .annotate(OpenApi.Summary, "Let a tag name a version")
      .annotate(OpenApi.Description, "Moves the tag to the version, or creates it."),
    HttpApiEndpoint.delete("removeTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.removeTag",
          example: 'await account.tasks.removeTag({ task_id, name: "stable" })'
        })
      )
      .annotate(OpenApi.Summary, "Remove a tag")
      .annotate(OpenApi.Description, "Removes the tag. The version that it named stays."),
    HttpApiEndpoint.put("setCurrent", "/tasks/:task_id/current", {
      params: task,
      payload: VersionRefBody,
      success: TaskDetail,
      error: NotFound
    })
      .annotateMerge(
        calledAs({
          path: "tasks.setCurrent",
          example: "await account.tasks.setCurrent(id, { version_id })"
        })
      )
      .annotate(OpenApi.Summary, "Make a version current")
      .annotate(OpenApi.Description, "Executions that name no version run this one.")
  )
  .annotate(OpenApi.Description, "What can be run, in versions.")
  .pipe(inAccount) {}
