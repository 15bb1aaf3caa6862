/** Tasks as tools of language models, and the tools that there are besides. */
import type { TaskVersion, TaskView } from "@runhook/core/catalog/Task"
import { isJsonObject, type Json, type JsonObject } from "@runhook/core/shared/json/Json"

export const toolOf = ({ task }: TaskView, { paramsSchema, resultSchema }: TaskVersion): JsonObject => ({
  name: task.slug,
  title: task.name,
  description: task.description === "" ? task.name : task.description,
  inputSchema: schemaOfTool(paramsSchema),
  ...(resultSchema === null ? {} : { outputSchema: schemaOfTool(resultSchema) })
})

/** Of an object, in the draft that the protocol takes for granted, and without what clients cannot read. */
const schemaOfTool = ({ $schema, properties, ...schema }: JsonObject): JsonObject => ({
  ...($schema !== undefined && !String($schema).includes("2020-12") ? { $schema } : {}),
  ...schema,
  type: "object",
  ...(isJsonObject(properties) ? { properties: spelledOut(properties) } : {})
})

/** Some clients take a property's schema for an object. */
const spelledOut = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, Json] => [
      name,
      isJsonObject(schema) ? schema : schema === false ? { not: {} } : {}
    ])
  )

/** How long a call follows its execution, in seconds. Many clients give up after a minute. */
export const callSecondsMax = 50

const executionId = { type: "string", format: "uuid", description: "The execution_id that a tool returned" }

/** A slug has no underscore, so no task has one of these names. */
export const ownTools = [
  {
    name: "get_execution",
    title: "Follow an execution",
    description: "Waits for a running execution and returns its result.",
    inputSchema: {
      type: "object",
      properties: {
        execution_id: executionId,
        wait_seconds: { type: "integer", minimum: 0, maximum: callSecondsMax, default: 20 }
      },
      required: ["execution_id"]
    },
    annotations: { readOnlyHint: true }
  },
  {
    name: "answer_execution",
    title: "Answer an execution",
    description: "Answers the question of an execution that awaits input, then waits for its result.",
    inputSchema: {
      type: "object",
      properties: {
        execution_id: executionId,
        value: { description: "The answer, valid by the schema of the question" }
      },
      required: ["execution_id", "value"]
    }
  },
  {
    name: "cancel_execution",
    title: "Cancel an execution",
    description: "Cancels an unfinished execution.",
    inputSchema: { type: "object", properties: { execution_id: executionId }, required: ["execution_id"] },
    annotations: { destructiveHint: true, idempotentHint: true }
  }
] satisfies ReadonlyArray<JsonObject>
