/** Whether a request to queue an execution may be accepted, and what it then means. Nothing is stored here. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { selectVersion } from "../../catalog/VersionSelector.ts"
import { checkConcurrency } from "../../runs/seats/Concurrency.ts"
import type { CreateExecution } from "./CreateExecution.ts"
import { copiedFrom, distinct, hidden, hide, type Path } from "../params/SecretParams.ts"
import { sizeRule } from "../../shared/json/JsonBytes.ts"
import { StoredJson } from "../../shared/json/StoredJson.ts"
import { type ApiKeyRecord, mayUseAgent, mayUseTask } from "../../keys/ApiKeyRecord.ts"
import { AgentDisabled, InvalidField, ScopeViolation, TaskDisabled } from "../../shared/Refusals.ts"
import { checkUrl } from "../../shared/target/CallbackUrl.ts"
import type { TargetRefused } from "../../shared/target/TargetRefused.ts"
import { type AgentNotFound, AgentStore } from "../../catalog/AgentStore.ts"
import { type InvalidParams, ParamsValidator, type TooManyChecks } from "../params/ParamsValidator.ts"
import { type TaskNotFound, TaskStore, type VersionNotFound } from "../../catalog/TaskStore.ts"
import { CallbackTargets } from "../../Settings.ts"

export type Refusal =
  | AgentDisabled
  | AgentNotFound
  | InvalidField
  | InvalidParams
  | ScopeViolation
  | TargetRefused
  | TaskDisabled
  | TaskNotFound
  | TooManyChecks
  | VersionNotFound

/** What an admitted request means. */
export type Admitted = Effect.Success<ReturnType<Admission["Service"]["admit"]>>

export class Admission extends Context.Service<Admission>()("@runhook/core/executions/create/Admission", {
  make: Effect.gen(function* () {
    const agents = yield* AgentStore
    const tasks = yield* TaskStore
    const validator = yield* ParamsValidator
    const targets = yield* CallbackTargets

    const resolve = Effect.fnUntraced(function* (caller: ApiKeyRecord, request: CreateExecution) {
      const { accountId } = caller
      const { taskId, taskVersionId } = request
      if (taskId !== undefined) {
        if (!mayUseTask(caller, taskId)) return yield* new ScopeViolation({ field: "task_id", id: taskId })
        return yield* tasks.resolve({ accountId, taskId, selector: selectVersion(request) })
      }
      if (taskVersionId === undefined) {
        return yield* new InvalidField({
          path: ["task_id"],
          rule: "task_id or task_version_id is required"
        })
      }
      const found = yield* tasks.resolveVersion({ accountId, versionId: taskVersionId })
      if (!mayUseTask(caller, found.task.id)) {
        return yield* new ScopeViolation({ field: "task_id", id: found.task.id })
      }
      return found
    })

    const checkAgent = Effect.fnUntraced(function* (caller: ApiKeyRecord, { agentId }: CreateExecution) {
      if (!mayUseAgent(caller, agentId)) return yield* new ScopeViolation({ field: "agent_id", id: agentId })
      const agent = yield* agents.find(caller.accountId, agentId)
      if (agent.state === "disabled") return yield* new AgentDisabled({ id: agentId })
    })

    /** What the request means, once everything about it is checked. */
    const admit = Effect.fnUntraced(function* (
      caller: ApiKeyRecord,
      request: CreateExecution,
      /** Where it has secrets, whatever the schema says. */
      secretAt: ReadonlyArray<Path> = []
    ) {
      yield* checkTimes(request)
      const concurrency = yield* Effect.fromResult(checkConcurrency(request.concurrency))
      const params = StoredJson.of(request.params)
      const rule = sizeRule(params.bytes)
      if (rule !== undefined) return yield* new InvalidField({ path: ["params"], rule })
      const callbackUrl =
        request.callbackUrl === null
          ? null
          : (yield* Effect.fromResult(checkUrl(request.callbackUrl, targets))).href
      const found = yield* resolve(caller, request)
      if (!found.task.enabled) return yield* new TaskDisabled({ id: found.task.id })
      yield* checkAgent(caller, request)
      const { id, paramsSchema } = found.version
      yield* validator.validate({
        accountId: caller.accountId,
        key: id,
        what: "params",
        schema: paramsSchema,
        value: request.params,
        text: params.text
      })
      const asked = { ...request, callbackUrl }
      const paths = validator.secretPaths({ key: id, schema: paramsSchema, value: request.params })
      if (paths.length === 0 && secretAt.length === 0)
        return { ...found, params, concurrency, secrets: [], request: asked }
      const { secrets, shown } = hide(request.params, distinct([...paths, ...secretAt]))
      const copied = copiedFrom(secrets)
      if (copied !== undefined)
        return yield* new InvalidField({ path: ["params", ...copied.map(String)], rule: copiedRule })
      return { ...found, params: StoredJson.of(shown), concurrency, secrets, request: asked }
    })

    return { admit }
  })
}) {
  static readonly layer = Layer.effect(Admission, Admission.make)
}

const copiedRule = `must be the secret itself: answers show ${JSON.stringify(hidden)} in its place`

const checkTimes = Effect.fnUntraced(function* ({ expiresAt, scheduledAt }: CreateExecution) {
  if (expiresAt === null) return
  if (DateTime.isLessThanOrEqualTo(expiresAt, yield* DateTime.now)) {
    return yield* new InvalidField({ path: ["expires_at"], rule: "must be in the future" })
  }
  if (scheduledAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, scheduledAt)) {
    return yield* new InvalidField({ path: ["expires_at"], rule: "must be later than scheduled_at" })
  }
})
