/** The editable fields of a task, as text. Pure. */
import type { TaskDetail, UpdateTask } from "@runhook/sdk/admin"

export interface TaskTexts {
  readonly name: string
  readonly description: string
  readonly timeout: string
  readonly attempts: string
  readonly first: string
  readonly factor: string
  readonly longest: string
}

type TaskSettings = Pick<TaskDetail, "description" | "name" | "retry" | "timeout_seconds">

export const textsOf = ({ description, name, retry, timeout_seconds }: TaskSettings): TaskTexts => ({
  name,
  description,
  timeout: timeout_seconds === null ? "" : String(timeout_seconds),
  attempts: String(retry.max_attempts),
  first: String(retry.initial_seconds),
  factor: String(retry.factor),
  longest: String(retry.max_seconds)
})

/** The change that applies the texts. An empty wait becomes the service's default; the jitter has no field and stays. */
export const changesOf = (texts: TaskTexts, jitter: number): UpdateTask => ({
  name: texts.name,
  description: texts.description,
  timeout_seconds: isLeft(texts.timeout) ? null : Number(texts.timeout),
  retry: {
    max_attempts: Number(texts.attempts),
    ...(isLeft(texts.first) ? {} : { initial_seconds: Number(texts.first) }),
    ...(isLeft(texts.factor) ? {} : { factor: Number(texts.factor) }),
    ...(isLeft(texts.longest) ? {} : { max_seconds: Number(texts.longest) }),
    jitter
  }
})

const isLeft = (text: string): boolean => text.trim() === ""
