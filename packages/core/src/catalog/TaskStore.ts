/** Keeps tasks, their versions and the tags that name versions. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Audit, Audited } from "../audit/AuditEntry.ts"
import type { NamedVersion, Naming, TaggedVersion } from "../audit/CatalogEvents.ts"
import { Slug, type Task, type TaskVersion, type TaskVersionSummary, type TaskView } from "./Task.ts"
import type { VersionSelector } from "./VersionSelector.ts"
import { type AccountId, TaskId, type TaskVersionId, type InAccount } from "../shared/Ids.ts"
import type { Page, PageRequest } from "../shared/Page.ts"

/** No such task in the account. */
export class TaskNotFound extends Schema.TaggedError<TaskNotFound>()("TaskNotFound", { id: TaskId }) {
  override get message() {
    return `There is no task ${this.id}`
  }
}

/** The task has no such version. */
export class VersionNotFound extends Schema.TaggedError<VersionNotFound>()("VersionNotFound", {
  /** The selector in words: `the current version`, `version 3`, `tag stable`. */
  selector: Schema.String
}) {
  override get message() {
    return `The task has no such version: ${this.selector}`
  }
}

/** Another task of the account has the slug. */
export class SlugTaken extends Schema.TaggedError<SlugTaken>()("SlugTaken", { slug: Slug }) {
  override get message() {
    return `Another task has the slug "${this.slug}"`
  }
}

/** The task has no such tag. */
export class TagNotFound extends Schema.TaggedError<TagNotFound>()("TagNotFound", { name: Schema.String }) {
  override get message() {
    return `The task has no tag "${this.name}"`
  }
}

/** What an administrator may change about a task. */
export type TaskChange = Partial<
  Pick<
    Task,
    "name" | "description" | "platforms" | "timeoutSeconds" | "maxAttempts" | "retryBackoff" | "enabled"
  >
>

/** Which tasks a list wants. */
export interface TaskFilter {
  /** Only these; null: all of the account. */
  readonly ids: ReadonlyArray<TaskId> | null
  /** A part of the slug or the name, in any case; no character is a wildcard. */
  readonly text: string | null
  /** Only tasks that have a version of this tag. */
  readonly tag: string | null
}

export class TaskStore extends Context.Service<
  TaskStore,
  {
    create(task: Task, audit?: Audit<[created: Task]>): Effect.Effect<void, SlugTaken>

    get(accountId: AccountId, id: TaskId): Effect.Effect<TaskView, TaskNotFound>

    /** Newest first. A task counts as `taskBytes`. */
    list(accountId: AccountId, filter: TaskFilter, page: PageRequest): Effect.Effect<Page<TaskView>>

    update(
      options: InAccount<TaskId> &
        Audited<[before: Task, after: Task]> & {
          readonly change: TaskChange
        }
    ): Effect.Effect<TaskView, TaskNotFound>

    /**
     * Adds a version under the task's next number, moves the tags to it and,
     * when asked, makes it current: all or nothing. The task counts as updated
     * at the version's `publishedAt`.
     */
    publish(options: {
      readonly version: Omit<TaskVersion, "number">
      readonly tags: ReadonlyArray<string>
      readonly makeCurrent: boolean
      readonly audit?: Audit<[task: Task, published: TaggedVersion]> | undefined
    }): Effect.Effect<TaskVersionSummary, TaskNotFound>

    /** Newest first, by id. */
    versions(
      options: { readonly accountId: AccountId; readonly taskId: TaskId },
      page: PageRequest
    ): Effect.Effect<Page<TaskVersionSummary>, TaskNotFound>

    /** The version a selector means for a task. */
    resolve(options: {
      readonly accountId: AccountId
      readonly taskId: TaskId
      readonly selector: VersionSelector
    }): Effect.Effect<{ readonly task: Task; readonly version: TaskVersion }, TaskNotFound | VersionNotFound>

    /** A version by its id alone, with its task. */
    resolveVersion(options: {
      readonly accountId: AccountId
      readonly versionId: TaskVersionId
    }): Effect.Effect<{ readonly task: Task; readonly version: TaskVersion }, VersionNotFound>

    /** Points a tag at a version, taking it from the version that had it. */
    moveTag(
      options: Audited<[task: Task, naming: Naming]> & {
        readonly accountId: AccountId
        readonly taskId: TaskId
        readonly name: string
        readonly versionId: TaskVersionId
      }
    ): Effect.Effect<TaskView, TaskNotFound | VersionNotFound>

    removeTag(
      options: Audited<[task: Task, before: NamedVersion]> & {
        readonly accountId: AccountId
        readonly taskId: TaskId
        readonly name: string
      }
    ): Effect.Effect<void, TaskNotFound | TagNotFound>

    setCurrent(
      options: Audited<[task: Task, naming: Naming]> & {
        readonly accountId: AccountId
        readonly taskId: TaskId
        readonly versionId: TaskVersionId
      }
    ): Effect.Effect<TaskView, TaskNotFound | VersionNotFound>
  }
>()("@runhook/core/catalog/TaskStore") {}
