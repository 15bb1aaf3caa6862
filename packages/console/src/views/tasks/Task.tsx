/** One task: run it, and manage its versions. */
import { Detail, headOf } from "../../shell/Shell.ts"
import { NotFoundError, type TaskDetail } from "@runhook/sdk/admin"
import { Kept, useAction, useForm, useLive, useLoad } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { Button, EmptyState, FactsCard, Moment, type Opened, Opener, Outcome } from "../../parts/Parts.ts"
import { SaveDialog, TextField, UntrustedText, WholeId } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { Publish } from "./PublishDialog.tsx"
import { RunCard } from "./RunCard.tsx"
import { useVersions } from "./useVersions.ts"
import { Versions } from "./Versions.tsx"
import { changesOf, type TaskTexts, textsOf } from "./TaskTexts.ts"

const kept = new Kept<TaskDetail>()

export const Task = ({ id: name }: { readonly id: string }) => {
  const loaded = useLoad(`task ${name}`, (signal) => findTask(name, signal), kept)
  const { data, reload, set } = loaded
  const enable = useAction(
    (enabled: boolean) => account.value.tasks.update(data?.id ?? name, { enabled }),
    reload
  )
  // Any task: by its slug, which one it is is not known before it is loaded.
  useLive("task", reload)
  return (
    <Detail
      id={data?.id ?? name}
      of={loaded}
      what="task"
      head={(task) => ({
        ...headOf(task.name, task.enabled ? undefined : "disabled"),
        crumb: <code>{task.slug}</code>,
        acts: (
          <>
            <Opener word="Change…" onDone={set}>
              {(dialog) => <ChangeTask task={task} {...dialog} />}
            </Opener>
            <Button isChange isRunning={enable.isRunning} onPress={() => enable.run(!task.enabled)}>
              {task.enabled ? "Disable" : "Enable"}
            </Button>
          </>
        ),
        children: task.description === "" ? undefined : <UntrustedText text={task.description} />
      })}
    >
      {(task) => (
        <>
          <Outcome problem={enable.problem} />
          <Columns task={task} onChanged={reload} />
        </>
      )}
    </Detail>
  )
}

interface ColumnsProps {
  readonly task: TaskDetail
  readonly onChanged: () => void
}

/** The form that runs it, beside its versions and facts. */
const Columns = ({ onChanged, task }: ColumnsProps) => {
  const versions = useVersions(task)
  return (
    <div class="cols">
      {task.latest_version === null ? (
        <EmptyState title="No version yet" action={<Publish task={task} onPublished={onChanged} />}>
          A version defines its params and its result.
        </EmptyState>
      ) : (
        <RunCard task={task} versions={versions.data ?? []} />
      )}
      <aside class="stack turns">
        <Versions task={task} of={versions} onChanged={onChanged} />
        <FactsCard
          of={{
            Id: <WholeId of={task.id} />,
            Platforms:
              task.platforms.length === 0 ? undefined : (
                <UntrustedText
                  text={task.platforms.map((each) => `${each.name} (${each.handler})`).join(", ")}
                />
              ),
            "Time limit":
              task.timeout_seconds === null ? "none" : durationWords(task.timeout_seconds * 1_000),
            Attempts: String(task.retry.max_attempts),
            Created: <Moment at={task.created_at} />,
            Changed: <Moment at={task.updated_at} />
          }}
        />
      </aside>
    </div>
  )
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Most tasks that are searched for a slug. */
const looked = 2_000

/** Finds a task by its id or its slug; addresses may have either. */
const findTask = async (name: string, signal: AbortSignal): Promise<TaskDetail> => {
  const { tasks } = account.value
  if (uuid.test(name)) return tasks.get(name, { signal })
  let count = 0
  for await (const { id, slug } of tasks.list({ limit: 200 }, { signal })) {
    if (slug === name) return tasks.get(id, { signal })
    if (++count >= looked) break
  }
  throw new NotFoundError({
    message: "There is no such task",
    status: 404,
    code: "not_found",
    details: null,
    requestId: null,
    retryAfterMs: null,
    attempts: 1
  })
}

interface ChangeTaskProps extends Opened<TaskDetail> {
  readonly task: TaskDetail
}

/** Edits a task: its texts, its time limit, and its retries. */
const ChangeTask = ({ onClose, onDone, task }: ChangeTaskProps) => {
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
