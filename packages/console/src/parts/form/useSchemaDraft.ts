/** The state of a form for a schema; another schema resets it. */
import type { Json } from "@runhook/sdk/admin"
import { useMemo, useState } from "preact/hooks"
import type { Problem } from "../problem/Problem.ts"
import { controlOf } from "./Control.ts"
import { type Draft, draftOf, type DraftValue, landed, readDraft } from "./Draft.ts"

/**
 * ```tsx
 * const form = useSchemaDraft(question.schema)
 * const answer = useAction(() => account.value.executions.answer(id, { value: form.read().value ?? null }))
 * <SchemaForm {...form} label="Answer" wrong={form.wrongWith(answer.problem)} />
 * ```
 */
export const useSchemaDraft = (schema: Json | undefined, given?: Json) => {
  const key = JSON.stringify([schema, given])
  const control = useMemo(() => controlOf(schema), [key])
  const [typed, setTyped] = useState<{ readonly key: string; readonly draft: Draft }>()
  const draft = useMemo(() => (typed?.key === key ? typed.draft : draftOf(control, given)), [key, typed])
  return {
    control,
    draft,
    onChange: (next: Draft) => setTyped({ key, draft: next }),
    read: (): DraftValue => readDraft(control, draft),
    /** The error at a path: of what cannot be read, or of a request that was refused. */
    wrongWith: (problem: Pick<Problem, "fields" | "said"> | undefined) => {
      const { wrong } = readDraft(control, draft)
      const fields = problem?.fields ?? {}
      const said = landed({ control, draft }, fields)
      for (const path of Object.keys(fields)) problem?.said.add(path)
      return (path: string): string | undefined => wrong[path] ?? said[path]
    }
  }
}
