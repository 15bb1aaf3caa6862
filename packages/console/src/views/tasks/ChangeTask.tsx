/** Edits a task: its texts, its time limit, and its retries. */
import type { TaskDetail } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { changesOf, type TaskTexts, textsOf } from "./TaskTexts.ts"

interface ChangeTaskProps {
  readonly task: TaskDetail
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: (task: TaskDetail) => void
}

export const ChangeTask = ({ isOpen, onClose, onDone, task }: ChangeTaskProps) => {
  const [typed, setTyped] = useState<Partial<TaskTexts>>({})
  // Fields that the user has not edited follow the task, which others may change.
  const texts = { ...textsOf(task), ...typed }
  const save = useAction(
    () => account.value.tasks.update(task.id, changesOf(texts, task.retry.jitter)),
    (changed) => {
      setTyped({})
      onDone(changed)
    }
  )
  const isSaidAtFields = Object.keys(save.problem?.fields ?? {}).length > 0
  const text = (name: keyof TaskTexts) => ({
    value: texts[name],
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
      setTyped((before) => ({ ...before, [name]: value }))
  })
  const count = (name: keyof TaskTexts, label: ComponentChild, path: string, hint?: string) => (
    <Field label={label} hint={hint} wrong={save.wrong(path)}>
      {(input) => <input {...input} type="number" min={0} step="any" {...text(name)} />}
    </Field>
  )
  return (
    <Dialog title="Change this task" isOpen={isOpen} onClose={onClose} onSubmit={save.run}>
      <Field label="Name" wrong={save.wrong("name")}>
        {(input) => <input {...input} required {...text("name")} />}
      </Field>
      <Field label="Description" wrong={save.wrong("description")}>
        {(input) => <textarea {...input} rows={3} {...text("description")} />}
      </Field>
      {count(
        "timeout",
        "Time limit, in seconds",
        "timeout_seconds",
        "Empty: it may run as long as it takes."
      )}
      <div class="two">
        {count("attempts", "Attempts in all", "retry.max_attempts")}
        {count("first", "First wait, in seconds", "retry.initial_seconds")}
        {count("factor", "Each wait, times", "retry.factor")}
        {count("longest", "Longest wait, in seconds", "retry.max_seconds")}
      </div>
      <p class="small quiet">
        Existing executions keep the time limit and waits that they were created with.
      </p>
      <Outcome problem={isSaidAtFields ? undefined : save.problem} />
      <p class="acts">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="first" isSubmit isChange isRunning={save.isRunning}>
          Save
        </Button>
      </p>
    </Dialog>
  )
}
