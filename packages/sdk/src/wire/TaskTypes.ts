/** Types of the tasks that a program uses, which `runhook types` writes. */
import type { JsonObject } from "./Json.ts"

/**
 * Tasks by their slugs, each with its `params` and its `result`. Empty until the
 * file that `runhook types` writes is part of the program.
 */
export interface RunhookTasks {}

/** The slug of a known task. */
export type TaskSlug = Extract<keyof RunhookTasks, string>

type ParamsOf<Slug extends TaskSlug> = RunhookTasks[Slug] extends { readonly params: infer Params }
  ? Params
  : JsonObject

type ResultOf<Slug extends TaskSlug> = RunhookTasks[Slug] extends { readonly result: infer Result }
  ? Result
  : JsonObject

/** A request with the params of a task, which may be left out if the task needs none. Of any task, unless one is named. */
export type WithParams<Body, Slug extends TaskSlug> = [Slug] extends [never]
  ? Body
  : Omit<Body, "params"> &
      ({} extends ParamsOf<Slug>
        ? { readonly params?: ParamsOf<Slug> | undefined }
        : { readonly params: ParamsOf<Slug> })

/** An execution of a task. Of any task, unless one is named. */
export type OfTask<Shown, Slug extends TaskSlug> = [Slug] extends [never]
  ? Shown
  : Omit<Shown, "params" | "result"> & {
      /** As given at creation. */
      readonly params: ParamsOf<Slug>
      /** What the work produced; null unless completed. */
      readonly result: ResultOf<Slug> | null
    }
