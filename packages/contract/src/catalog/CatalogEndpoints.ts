/** The tasks and agents that a key may use. */
import { TagName, VersionName } from "@runhook/core/catalog/VersionSelector"
import { TaskId } from "@runhook/core/shared/Ids"
import { isStorableText } from "@runhook/core/shared/json/JsonText"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { forKeys } from "../Audiences.ts"
import { operation } from "../Call.ts"
import { Forbidden, NotFound } from "../Errors.ts"
import { conditional } from "../openapi/Conditional.ts"
import { inQuery, queryNumbers } from "../QueryNumbers.ts"
import { AgentItem } from "./AgentWire.ts"
import { described } from "../shared/Described.ts"
import { pageOf, pageQuery } from "../shared/Envelope.ts"
import { ParamsSchema, TaskDetail, TaskItem } from "./TaskWire.ts"
import { Compressible } from "../Compression.ts"

const searchTextLengthMax = 200

export class TaskEndpoints extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("list", "/tasks", {
      query: {
        q: Schema.optionalKey(
          Schema.String.check(Schema.isBetweenCodePoints(1, searchTextLengthMax), isStorableText)
        ).pipe(described("A part of the slug or name.")),
        tag: Schema.optionalKey(TagName).pipe(described("Only tasks with a version of this tag.")),
        ...pageQuery
      },
      success: pageOf("TaskPage", TaskItem),
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "List runnable tasks",
          description: "The tasks that the key may execute, newest first.",
          example: "for await (const { id, slug } of runhook.tasks.list()) console.log(id, slug)"
        })
      )
      .annotate(Compressible, true),
    HttpApiEndpoint.get("get", "/tasks/:id", {
      params: { id: TaskId },
      success: TaskDetail,
      error: [Forbidden, NotFound]
    }).annotateMerge(
      operation({
        summary: "Task details",
        description:
          "A task with its versions' tags, its policies, and where the JSON Schema of its params is.",
        example: "const task = await runhook.tasks.get(id)"
      })
    ),
    HttpApiEndpoint.get("paramsSchema", "/tasks/:id/params-schema", {
      params: { id: TaskId },
      query: {
        v: Schema.optionalKey(inQuery(queryNumbers.v)),
        version: Schema.optionalKey(VersionName).pipe(described("`current`, `tag:<name>` or a version's id."))
      },
      success: ParamsSchema,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "Params JSON Schema",
          description:
            "The JSON Schema of the params of one version: of the current one unless the query names another.",
          overHttp: "A version never changes, so an answer can be kept under its ETag.",
          example: 'const { schema } = await runhook.tasks.paramsSchema(id, { version: "tag:stable" })'
        })
      )
      .annotate(OpenApi.Transform, conditional)
  )
  .annotate(OpenApi.Description, "The tasks that the key may execute.")
  .pipe(forKeys) {}

export class AgentEndpoints extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/agents", {
      query: pageQuery,
      success: pageOf("AgentPage", AgentItem),
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "List agents",
          description: "The agents that the key may use, and how busy they are.",
          example: "const [agent] = await runhook.agents.list().toArray({ limit: 1 })"
        })
      )
      .annotate(Compressible, true)
  )
  .annotate(OpenApi.Description, "The agents that the key may use.")
  .pipe(forKeys) {}
