/** One task: run it, and manage its versions. */
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { durationWords } from "../../format/Amounts.ts"
import { useLive } from "../../live/Live.ts"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Outcome, ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { ChangeTask } from "./ChangeTask.tsx"
import { findTask } from "./FindTask.ts"
import { PublishDialog } from "./PublishDialog.tsx"
import { RunCard } from "./RunCard.tsx"
import { Versions } from "./Versions.tsx"

export const Task = ({ id: name }: { readonly id: string }) => {
  const {
    data: task,
    error,
    reload,
    set
  } = useLoad(`task ${account.value.id} ${name}`, (signal) => findTask(account.value, name, signal))
  const [isPublishing, setPublishing] = useState(false)
  const [isChanging, setChanging] = useState(false)
  const enable = useAction(
    (enabled: boolean) => account.value.tasks.update(task?.id ?? name, { enabled }),
    reload
  )
  useLive(task === undefined ? undefined : { kind: "task", id: task.id }, reload)
  const crumb = <a href={pathTo("/tasks")}>Tasks</a>
  if (task === undefined) {
    return (
      <>
        <Head title="Task" crumb={crumb} />
        {error === undefined ? (
          <Skeleton />
        ) : (
          <ProblemNote
            error={error}
            what="task"
            onRetry={reload}
            all={{ href: pathTo("/tasks"), words: "All tasks" }}
          />
        )}
      </>
    )
  }
  const publish = (
    <Button isChange onPress={() => setPublishing(true)}>
      Publish…
    </Button>
  )
  return (
    <>
      <Head
        title={task.name}
        heading={
          <>
            <UntrustedText text={task.name} /> {task.enabled ? null : <Status of="disabled" />}
          </>
        }
        crumb={
          <>
            {crumb} / <code>{task.slug}</code>
          </>
        }
        acts={
          <>
            <Button isChange onPress={() => setChanging(true)}>
              Change…
            </Button>
            <Button isChange isRunning={enable.isRunning} onPress={() => enable.run(!task.enabled)}>
              {task.enabled ? "Disable" : "Enable"}
            </Button>
          </>
        }
      >
        {task.description === "" ? undefined : <UntrustedText text={task.description} />}
      </Head>
      <Outcome problem={enable.problem} />
      <div class="cols">
        {task.latest_version === null ? (
          <EmptyState title="No version yet" action={publish}>
            A version defines its params and its result.
          </EmptyState>
        ) : (
          <RunCard task={task} />
        )}
        <aside class="stack">
          <Versions task={task} publish={publish} onChanged={reload} />
          <Card title="Facts">
            <Facts
              of={[
                ["Id", <Id key="id" of={task.id} isWhole />],
                [
                  "Platforms",
                  task.platforms.length === 0 ? undefined : (
                    <UntrustedText
                      key="words"
                      text={task.platforms.map((each) => `${each.name} (${each.handler})`).join(", ")}
                    />
                  )
                ],
                [
                  "Time limit",
                  task.timeout_seconds === null ? "none" : durationWords(task.timeout_seconds * 1_000)
                ],
                ["Attempts", String(task.retry.max_attempts)],
                ["Created", <Moment key="moment" at={task.created_at} />],
                ["Changed", <Moment key="moment" at={task.updated_at} />]
              ]}
            />
          </Card>
        </aside>
      </div>
      <ChangeTask
        task={task}
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onDone={(changed) => {
          setChanging(false)
          set(changed)
        }}
      />
      <PublishDialog
        task={task}
        isOpen={isPublishing}
        onClose={() => setPublishing(false)}
        onPublished={() => {
          setPublishing(false)
          reload()
        }}
      />
    </>
  )
}
