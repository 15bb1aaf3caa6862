/** What callers and operators do with tasks and their versions. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import {
  currentVersionSet,
  type NamedVersion,
  type Naming,
  type TaggedVersion,
  tagMoved,
  tagRemoved,
  taskCreated,
  taskUpdated,
  versionPublished
} from "../audit/CatalogEvents.ts"
import type { Task } from "./Task.ts"
import type { VersionSelector } from "./VersionSelector.ts"
import { retryBackoffDefault } from "../executions/RetryBackoff.ts"
import { type AccountId, instantOf, makeIds, TaskId, TaskVersionId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import type { PageRequest } from "../shared/Page.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { InvalidSchema, ParamsValidator, type SchemaIssue } from "../executions/params/ParamsValidator.ts"
import { Signals } from "../signals/Signals.ts"
import { type TaskChange, type TaskFilter, TaskStore } from "./TaskStore.ts"
import { changedByOperator } from "../signals/ChangeSignals.ts"
import { audited } from "../audit/Audited.ts"
import { spanned, useCase } from "../engine/UseCase.ts"

/** Names one task of an account. */
export interface TaskRef {
  readonly accountId: AccountId
  readonly taskId: TaskId
}

/** A version to publish. */
export interface NewVersion {
  readonly paramsSchema: JsonObject
  readonly resultSchema: JsonObject | null
  readonly tags: ReadonlyArray<string>
  readonly makeCurrent: boolean
}

/** What one of the schemas of a version says, and nothing checks. */
export interface SchemaWarning extends SchemaIssue {
  readonly field: "params_schema" | "result_schema"
}

export class Tasks extends Context.Service<Tasks>()("@runhook/core/catalog/Tasks", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const signals = yield* Signals
    const store = yield* TaskStore
    const validator = yield* ParamsValidator
    const newId = yield* makeIds

    const tellChange = ({ accountId, taskId }: TaskRef, { isNew = false } = {}) =>
      signals.notify(changedByOperator(accountId, "task", { id: taskId, state: null, isNew }))

    const checkSchemas = Effect.fnUntraced(function* (
      { accountId, taskId }: TaskRef,
      { paramsSchema, resultSchema }: Pick<NewVersion, "paramsSchema" | "resultSchema">
    ) {
      yield* store.get(accountId, taskId)
      const check = (field: SchemaWarning["field"], schema: JsonObject) =>
        validator.checkSchema({ accountId, schema }).pipe(
          Effect.map((issues) => issues.map((issue): SchemaWarning => ({ field, ...issue }))),
          Effect.catchTag("InvalidSchema", ({ issues }) => Effect.fail(new InvalidSchema({ issues, field })))
        )
      const warnings = yield* check("params_schema", paramsSchema)
      return resultSchema === null
        ? warnings
        : [...warnings, ...(yield* check("result_schema", resultSchema))]
    })

    const create = useCase("Tasks.create")(function* (
      request: Pick<
        Task,
        "accountId" | "description" | "maxAttempts" | "name" | "platforms" | "slug" | "timeoutSeconds"
      > &
        Partial<Pick<Task, "retryBackoff">>
    ) {
      yield* accounts.get(request.accountId)
      const id = yield* newId(TaskId)
      const at = instantOf(id)
      const task: Task = {
        retryBackoff: retryBackoffDefault,
        ...request,
        id,
        enabled: true,
        createdAt: at,
        updatedAt: at
      }
      yield* store.create(task, yield* audited(taskCreated))
      yield* tellChange({ accountId: task.accountId, taskId: id }, { isNew: true })
      return { task, currentVersion: null, latestVersion: null, resultSchema: null, tags: [] }
    })

    const get = ({ accountId, taskId }: TaskRef) => store.get(accountId, taskId)

    const list = useCase("Tasks.list")(function* (
      accountId: AccountId,
      filter: TaskFilter,
      page: PageRequest
    ) {
      yield* accounts.get(accountId)
      return yield* store.list(accountId, filter, page)
    })

    const update = useCase("Tasks.update")(function* (ref: TaskRef, change: TaskChange) {
      const { accountId, taskId } = ref
      const audit = yield* audited(taskUpdated)
      const view = yield* store.update({ accountId, id: taskId, change, at: yield* DateTime.now, audit })
      yield* tellChange(ref)
      return view
    })

    /** Publishes a version, whose schemas must be usable, and says what nothing checks in them. */
    const publish = useCase("Tasks.publish")(function* (
      ref: TaskRef,
      { makeCurrent, paramsSchema, resultSchema, tags }: NewVersion
    ) {
      const warnings = yield* checkSchemas(ref, { paramsSchema, resultSchema })
      const id = yield* newId(TaskVersionId)
      const version = { ...ref, id, paramsSchema, resultSchema, publishedAt: instantOf(id) }
      const audit = yield* audited((task: Task, published: TaggedVersion) =>
        versionPublished(task, { ...published, isCurrent: makeCurrent })
      )
      const summary = yield* store.publish({ version, tags, makeCurrent, audit })
      yield* tellChange(ref)
      return { ...summary, warnings }
    })

    /** Whether a version with these schemas could be published, and what nothing checks in them. Stores nothing. */
    const check = flow(checkSchemas, spanned("Tasks.check"))

    /** The version that a selector means. */
    const resolve = useCase("Tasks.resolve")(function* (ref: TaskRef, selector: VersionSelector) {
      return (yield* store.resolve({ ...ref, selector })).version
    })

    const moveTag = useCase("Tasks.moveTag")(function* (
      ref: TaskRef & { readonly name: string; readonly versionId: TaskVersionId }
    ) {
      const audit = yield* audited((task: Task, naming: Naming) =>
        tagMoved(task, { ...naming, name: ref.name })
      )
      const view = yield* store.moveTag({ ...ref, at: yield* DateTime.now, audit })
      yield* tellChange(ref)
      return view
    })

    const removeTag = useCase("Tasks.removeTag")(function* (ref: TaskRef & { readonly name: string }) {
      const audit = yield* audited((task: Task, before: NamedVersion) =>
        tagRemoved(task, { before, name: ref.name })
      )
      yield* store.removeTag({ ...ref, at: yield* DateTime.now, audit })
      yield* tellChange(ref)
    })

    const setCurrent = useCase("Tasks.setCurrent")(function* (
      ref: TaskRef & { readonly versionId: TaskVersionId }
    ) {
      const audit = yield* audited(currentVersionSet)
      const view = yield* store.setCurrent({ ...ref, at: yield* DateTime.now, audit })
      yield* tellChange(ref)
      return view
    })

    const versions = store.versions

    return {
      create,
      get,
      list,
      update,
      publish,
      check,
      versions,
      resolve,
      moveTag,
      removeTag,
      setCurrent
    }
  })
}) {
  static readonly layer = Layer.effect(Tasks, Tasks.make)
}
