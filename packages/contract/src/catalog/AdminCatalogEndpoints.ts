/** The agents and tasks of an account, as operators keep them. */
import { TagName } from "@runhook/core/catalog/VersionSelector"
import { AccountId, AgentId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { account, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { operation } from "../Call.ts"
import { Conflict } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { AgentChangeBody, AgentDetail, AgentItem, NewAgentBody } from "./AgentWire.ts"
import { described } from "../shared/Described.ts"
import { pageOf, pageQuery } from "../shared/Envelope.ts"
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
} from "./TaskWire.ts"
import { Compressible } from "../Compression.ts"

const agent = { account_id: AccountId, agent_id: AgentId }
const task = { account_id: AccountId, task_id: TaskId }
const tag = { ...task, name: TagName }

export class AdminAgentEndpoints extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.post("create", "/agents", {
      params: account,
      payload: NewAgentBody,
      success: AgentDetail.pipe(HttpApiSchema.status(201))
    })
      .annotateMerge(
        operation({
          summary: "Create an agent",
          description: "Makes an agent, on which executions run as soon as a runner serves it.",
          example: 'const { id } = await account.agents.create({ name: "Portal", capacity: 4 })'
        })
      )
      .annotate(TakesTurns, true),
    HttpApiEndpoint.get("list", "/agents", {
      params: account,
      query: pageQuery,
      success: pageOf("AgentPage", AgentItem)
    })
      .annotateMerge(
        operation({
          summary: "List agents",
          description: "The agents of the account, newest first, and how busy they are.",
          example:
            "for await (const { name, busy, capacity } of account.agents.list()) console.log(name, busy, capacity)"
        })
      )
      .annotate(Compressible, true),
    HttpApiEndpoint.get("get", "/agents/:agent_id", { params: agent, success: AgentDetail }).annotateMerge(
      operation({
        summary: "Get an agent",
        description: "One agent, and how busy it is.",
        example: "const { status, runners } = await account.agents.get(id)"
      })
    ),
    HttpApiEndpoint.patch("update", "/agents/:agent_id", {
      params: agent,
      payload: AgentChangeBody,
      success: AgentDetail
    })
      .annotateMerge(
        operation({
          summary: "Change an agent",
          description:
            "Changes what the body names: name, labels, capacity, or whether it is paused or disabled.",
          example: 'await account.agents.update(id, { state: "paused" })'
        })
      )
      .annotate(TakesTurns, true),
    HttpApiEndpoint.delete("remove", "/agents/:agent_id", {
      params: agent,
      success: HttpApiSchema.NoContent,
      error: Conflict
    }).annotateMerge(
      operation({
        summary: "Remove an agent",
        description: "Removes an agent that has no unfinished executions.",
        example: "await account.agents.remove(id)"
      })
    )
  )
  .annotate(OpenApi.Description, "What executions run on.")
  .pipe(inAccount) {}

export class AdminTaskEndpoints extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("create", "/tasks", {
      params: account,
      payload: NewTaskBody,
      success: TaskDetail.pipe(HttpApiSchema.status(201)),
      error: Conflict
    }).annotateMerge(
      operation({
        summary: "Create a task",
        description: "Makes a task. It can be executed once a version of it is published.",
        example: 'const { id } = await account.tasks.create({ slug: "print", name: "Print a page" })'
      })
    ),
    HttpApiEndpoint.get("list", "/tasks", {
      params: account,
      query: pageQuery,
      success: pageOf("TaskPage", TaskItem)
    })
      .annotateMerge(
        operation({
          summary: "List tasks",
          description: "The tasks of the account, newest first.",
          example: "for await (const { id, slug } of account.tasks.list()) console.log(id, slug)"
        })
      )
      .annotate(Compressible, true),
    HttpApiEndpoint.get("get", "/tasks/:task_id", { params: task, success: TaskDetail }).annotateMerge(
      operation({
        summary: "Get a task",
        description: "A task with its current version, its tags and its policies.",
        example: "const { retry, timeout_seconds } = await account.tasks.get(id)"
      })
    ),
    HttpApiEndpoint.patch("update", "/tasks/:task_id", {
      params: task,
      payload: TaskChangeBody,
      success: TaskDetail
    }).annotateMerge(
      operation({
        summary: "Change a task",
        description: "Changes what the body names. Versions, which hold the schemas, never change.",
        example: "await account.tasks.update(id, { enabled: false })"
      })
    ),
    HttpApiEndpoint.post("publish", "/tasks/:task_id/versions", {
      params: task,
      query: {
        validate_only: Schema.optionalKey(Schema.Literals(["true", "false"])).pipe(
          described("`true` checks the schemas and publishes nothing.")
        )
      },
      payload: NewVersionBody,
      success: [VersionPublished.pipe(HttpApiSchema.status(201)), WouldPublish]
    })
      .annotateMerge(
        operation({
          summary: "Publish a version",
          description:
            "Publishes a version of the task, and makes it current unless told otherwise. A version never changes again. `validate_only=true` checks its schemas and stores nothing.",
          says: "Publishes a version, and makes it current unless told otherwise. A version never changes again.",
          answers: [VersionPublished],
          example:
            'const { number } = await account.tasks.publish(id, { params_schema: { type: "object" }, tags: ["stable"] })',
          also: [
            {
              path: "tasks.wouldPublish",
              says: "Checks the schemas of a version and publishes nothing.",
              fails: { invalid_params: "they cannot be used" },
              isRepeatable: true,
              query: { validate_only: true },
              answers: [WouldPublish],
              example: 'await account.tasks.wouldPublish(id, { params_schema: { type: "object" } })'
            }
          ]
        })
      )
      // Checks are for viewers; the handler requires more when a version is published.
      .annotate(DeclaredAccess, "viewer"),
    HttpApiEndpoint.get("versions", "/tasks/:task_id/versions", {
      params: task,
      query: pageQuery,
      success: pageOf("TaskVersionPage", VersionInfo)
    })
      .annotateMerge(
        operation({
          summary: "List versions",
          description: "The versions of the task, newest first.",
          example:
            "for await (const { number, tags } of account.tasks.versions(id)) console.log(number, tags)"
        })
      )
      .annotate(Compressible, true),
    HttpApiEndpoint.get("version", "/tasks/:task_id/versions/:version_id", {
      params: { ...task, version_id: TaskVersionId },
      success: VersionDetail
    }).annotateMerge(
      operation({
        summary: "Get a version",
        description: "One version of the task, with its schemas.",
        example: "const { params_schema } = await account.tasks.version({ task_id, version_id })"
      })
    ),
    HttpApiEndpoint.put("moveTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      payload: VersionRefBody,
      success: TaskDetail
    }).annotateMerge(
      operation({
        summary: "Let a tag name a version",
        description: "Moves the tag to the version, or creates it.",
        example: 'await account.tasks.moveTag({ task_id, name: "stable" }, { version_id })'
      })
    ),
    HttpApiEndpoint.delete("removeTag", "/tasks/:task_id/tags/:name", {
      params: tag,
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Remove a tag",
        description: "Removes the tag. The version that it named stays.",
        example: 'await account.tasks.removeTag({ task_id, name: "stable" })'
      })
    ),
    HttpApiEndpoint.put("setCurrent", "/tasks/:task_id/current", {
      params: task,
      payload: VersionRefBody,
      success: TaskDetail
    }).annotateMerge(
      operation({
        summary: "Make a version current",
        description: "Executions that name no version run this one.",
        example: "await account.tasks.setCurrent(id, { version_id })"
      })
    )
  )
  .annotate(OpenApi.Description, "What can be run, in versions.")
  .pipe(inAccount) {}
