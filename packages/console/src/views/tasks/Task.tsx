/** One task: run it, and manage its versions. */
import { Detail, headOf, pathTo } from "../../shell/Shell.ts"
import type { TaskDetail } from "@runhook/sdk/admin"
import { Kept, useAction, useLive, useLoad } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { Button, Card, EmptyState, Facts, Id, Moment, Opener, Outcome } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
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
