/** Edits a task: its texts, its time limit, and its retries. */
import { type Opened, SaveDialog, TextField } from "../../parts/Parts.ts"
import type { TaskDetail } from "@runhook/sdk/admin"
import { useForm } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"
import { changesOf, type TaskTexts, textsOf } from "./TaskTexts.ts"

interface ChangeTaskProps extends Opened<TaskDetail> {
  readonly task: TaskDetail
}

export const ChangeTask = ({ onClose, onDone, task }: ChangeTaskProps) => {
  const save = useForm<keyof TaskTexts, TaskDetail>(
    textsOf(task),
    (texts) => account.value.tasks.update(task.id, changesOf(texts, task.retry.jitter)),
    onDone
  )
  const count = (name: keyof TaskTexts, label: string, path: string, hint?: string) => (
    <TextField {...save.field(name, path)} label={label} hint={hint} type="number" min={0} step="any" />
  )
  return (
    <SaveDialog one="task" isNew={false} action={save} onClose={onClose}>
      <TextField {...save.field("name")} label="Name" required />
      <TextField {...save.field("description")} label="Description" rows={3} />
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
    </SaveDialog>
  )
}
