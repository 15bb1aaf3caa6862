/** What callers and operators do with tasks and their versions. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import type { CurrentActor } from "../domain/account/Actor.ts"
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
} from "../domain/audit/CatalogEvents.ts"
import type { Task, TaskVersion, TaskVersionSummary, TaskView } from "../domain/catalog/Task.ts"
import type { VersionSelector } from "../domain/catalog/VersionSelector.ts"
import { retryBackoffDefault } from "../domain/execution/RetryBackoff.ts"
import { type AccountId, instantOf, makeIds, TaskId, TaskVersionId } from "../domain/Ids.ts"
import type { JsonObject } from "../domain/json/Json.ts"
import type { Page, PageRequest } from "../domain/Page.ts"
import { type AccountNotFound, AccountStore } from "../ports/AccountStore.ts"
import { type InvalidSchema, ParamsValidator, type TooManyChecks } from "../ports/ParamsValidator.ts"
import { Signals } from "../ports/Signals.ts"
import {
  type SlugTaken,
  type TagNotFound,
  type TaskChange,
  type TaskFilter,
  type TaskNotFound,
  TaskStore,
  type VersionNotFound
} from "../ports/TaskStore.ts"
import { changedByOperator } from "../runtime/ChangeSignals.ts"
import { audited } from "./Audited.ts"
import { spanned, useCase } from "./UseCase.ts"

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

type Verbs = Tasks["Service"]

export class Tasks extends Context.Service<
  Tasks,
  {
    create(
      request: Pick<
        Task,
        "accountId" | "description" | "maxAttempts" | "name" | "platforms" | "slug" | "timeoutSeconds"
      > &
        Partial<Pick<Task, "retryBackoff">>
    ): Effect.Effect<TaskView, AccountNotFound | SlugTaken, CurrentActor>
    get(ref: TaskRef): Effect.Effect<TaskView, TaskNotFound>
    list(
      accountId: AccountId,
      filter: TaskFilter,
      page: PageRequest
    ): Effect.Effect<Page<TaskView>, AccountNotFound>
    update(ref: TaskRef, change: TaskChange): Effect.Effect<TaskView, TaskNotFound, CurrentActor>
    /** Publishes a version, whose schemas must be usable. It never changes again. */
    publish(
      ref: TaskRef,
      version: NewVersion
    ): Effect.Effect<TaskVersionSummary, InvalidSchema | TaskNotFound | TooManyChecks, CurrentActor>
    /** Whether a version with these schemas could be published. Stores nothing. */
    check(
      ref: TaskRef,
      schemas: Pick<NewVersion, "paramsSchema" | "resultSchema">
    ): Effect.Effect<void, InvalidSchema | TaskNotFound | TooManyChecks>
    versions(ref: TaskRef, page: PageRequest): Effect.Effect<Page<TaskVersionSummary>, TaskNotFound>
    /** The version that a selector means. */
    resolve(
      ref: TaskRef,
      selector: VersionSelector
    ): Effect.Effect<TaskVersion, TaskNotFound | VersionNotFound>
    moveTag(
      ref: TaskRef & { readonly name: string; readonly versionId: TaskVersionId }
    ): Effect.Effect<TaskView, TaskNotFound | VersionNotFound, CurrentActor>
    removeTag(
      ref: TaskRef & { readonly name: string }
    ): Effect.Effect<void, TagNotFound | TaskNotFound, CurrentActor>
    setCurrent(
      ref: TaskRef & { readonly versionId: TaskVersionId }
    ): Effect.Effect<TaskView, TaskNotFound | VersionNotFound, CurrentActor>
  }
>()("@runhook/core/usecases/Tasks") {
  static readonly layer = Layer.effect(
    Tasks,
    Effect.gen(function* () {
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
        yield* validator.checkSchema({ accountId, schema: paramsSchema })
        if (resultSchema !== null) yield* validator.checkSchema({ accountId, schema: resultSchema })
      })

      const create: Verbs["create"] = useCase("Tasks.create")(function* (request) {
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

      const get: Verbs["get"] = ({ accountId, taskId }) => store.get(accountId, taskId)

      const list: Verbs["list"] = useCase("Tasks.list")(function* (accountId, filter, page) {
        yield* accounts.get(accountId)
        return yield* store.list(accountId, filter, page)
      })

      const update: Verbs["update"] = useCase("Tasks.update")(function* (ref, change) {
        const { accountId, taskId } = ref
        const audit = yield* audited(taskUpdated)
        const view = yield* store.update({ accountId, id: taskId, change, at: yield* DateTime.now, audit })
        yield* tellChange(ref)
        return view
      })

      const publish: Verbs["publish"] = useCase("Tasks.publish")(function* (
        ref,
        { makeCurrent, paramsSchema, resultSchema, tags }
      ) {
        yield* checkSchemas(ref, { paramsSchema, resultSchema })
        const id = yield* newId(TaskVersionId)
        const version = { ...ref, id, paramsSchema, resultSchema, publishedAt: instantOf(id) }
        const audit = yield* audited((task: Task, published: TaggedVersion) =>
          versionPublished(task, { ...published, isCurrent: makeCurrent })
        )
        const summary = yield* store.publish({ version, tags, makeCurrent, audit })
        yield* tellChange(ref)
        return summary
      })

      const check: Verbs["check"] = flow(checkSchemas, spanned("Tasks.check"))

      const versions: Verbs["versions"] = (ref, page) => store.versions(ref, page)

      const resolve: Verbs["resolve"] = useCase("Tasks.resolve")(function* (ref, selector) {
        return (yield* store.resolve({ ...ref, selector })).version
      })

      const moveTag: Verbs["moveTag"] = useCase("Tasks.moveTag")(function* (ref) {
        const audit = yield* audited((task: Task, naming: Naming) =>
          tagMoved(task, { ...naming, name: ref.name })
        )
        const view = yield* store.moveTag({ ...ref, at: yield* DateTime.now, audit })
        yield* tellChange(ref)
        return view
      })

      const removeTag: Verbs["removeTag"] = useCase("Tasks.removeTag")(function* (ref) {
        const audit = yield* audited((task: Task, before: NamedVersion) =>
          tagRemoved(task, { before, name: ref.name })
        )
        yield* store.removeTag({ ...ref, at: yield* DateTime.now, audit })
        yield* tellChange(ref)
      })

      const setCurrent: Verbs["setCurrent"] = useCase("Tasks.setCurrent")(function* (ref) {
        const audit = yield* audited(currentVersionSet)
        const view = yield* store.setCurrent({ ...ref, at: yield* DateTime.now, audit })
        yield* tellChange(ref)
        return view
      })

      return Tasks.of({
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
      })
    })
  )
}
