/** Edits a task: its texts, its time limit, and its retries. */
import type { TaskDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { TextField } from "../../parts/Field.tsx"
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
    onText: (value: string) => setTyped((before) => ({ ...before, [name]: value }))
  })
  const count = (name: keyof TaskTexts, label: string, path: string, hint?: string) => (
    <TextField
      {...text(name)}
      label={label}
      hint={hint}
      wrong={save.wrong(path)}
      type="number"
      min={0}
      step="any"
    />
  )
  return (
    <Dialog
      title="Change this task"
      isOpen={isOpen}
      onClose={onClose}
      confirm={{
        word: "Save",
        action: { ...save, problem: isSaidAtFields ? undefined : save.problem },
        run: save.run
      }}
    >
      <TextField {...text("name")} label="Name" wrong={save.wrong("name")} required />
      <TextField {...text("description")} label="Description" rows={3} wrong={save.wrong("description")} />
      {count("timeout", "Time limit, in seconds", "timeout_seconds", "Empty: no limit.")}
      <div class="two">
        {count("attempts", "Max. attempts", "retry.max_attempts")}
        {count("first", "First delay, in seconds", "retry.initial_seconds")}
        {count("factor", "Delay multiplier", "retry.factor")}
        {count("longest", "Longest delay, in seconds", "retry.max_seconds")}
      </div>
      <p class="small quiet">
        Existing executions keep the time limit and delays that they were created with.
      </p>
    </Dialog>
  )
}
