/** The state of a form for a schema; another schema resets it. */
import type { Json } from "@runhook/sdk/admin"
import { useMemo, useState } from "preact/hooks"
import { controlOf } from "./Control.ts"
import { type Draft, draftOf, type DraftValue, readDraft } from "./Draft.ts"

/**
 * ```tsx
 * const form = useSchemaDraft(question.schema)
 * const answer = useAction(() => account.value.executions.answer(id, { value: form.read().value ?? null }))
 * <SchemaForm {...form} label="Answer" wrong={(path) => form.read().wrong[path] ?? answer.wrong(path)} />
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
    read: (): DraftValue => readDraft(control, draft)
  }
}
