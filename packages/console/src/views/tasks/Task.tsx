/** One task: run it, and manage its versions. */
import type { TaskDetail } from "@runhook/sdk/admin"
import { useAction } from "../../data/useAction.ts"
import { Kept } from "../../data/Kept.ts"
import { useLoad } from "../../data/useLoad.ts"
import { durationWords } from "../../format/Amounts.ts"
import { plainWords } from "../../format/Hidden.ts"
import { useLive } from "../../live/Live.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Id } from "../../parts/Id.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Opener } from "../../parts/Opener.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { Detail } from "../../shell/Detail.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { ChangeTask } from "./ChangeTask.tsx"
import { findTask } from "./FindTask.ts"
import { Publish } from "./PublishDialog.tsx"
import { RunCard } from "./RunCard.tsx"
import { Versions } from "./Versions.tsx"

const kept = new Kept<TaskDetail>()

const all = { href: pathTo("/tasks"), words: "Tasks" }

export const Task = ({ id: name }: { readonly id: string }) => {
  const loaded = useLoad(
    `task ${account.value.id} ${name}`,
    (signal) => findTask(account.value, name, signal),
    kept
  )
  const { data, reload, set } = loaded
  const enable = useAction(
    (enabled: boolean) => account.value.tasks.update(data?.id ?? name, { enabled }),
    reload
  )
  useLive(data === undefined ? undefined : { kind: "task", id: data.id }, reload)
  return (
    <Detail
      id={data?.id ?? name}
      of={loaded}
      what="task"
      all={all}
      head={(task) => ({
        title: plainWords(task.name),
        heading: (
          <>
            <UntrustedText text={task.name} /> {task.enabled ? null : <Status of="disabled" />}
          </>
        ),
        crumb: <code>{task.slug}</code>,
        acts: (
          <>
            <Opener word="Change…">
              {(close) => (
                <ChangeTask
                  task={task}
                  onClose={close}
                  onDone={(changed) => {
                    close()
                    set(changed)
                  }}
                />
              )}
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
          <div class="cols">
            {task.latest_version === null ? (
              <EmptyState title="No version yet" action={<Publish task={task} onPublished={reload} />}>
                A version defines its params and its result.
              </EmptyState>
            ) : (
              <RunCard task={task} />
            )}
            <aside class="stack">
              <Versions task={task} onChanged={reload} />
              <Card title="Facts">
                <Facts
                  of={{
                    Id: <Id of={task.id} isWhole />,
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
              </Card>
            </aside>
          </div>
        </>
      )}
    </Detail>
  )
}
