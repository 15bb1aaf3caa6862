/** First steps for a new user. Each step is ticked automatically. */
import type { Agent, Execution, Key, Overview, Task } from "@runhook/sdk/admin"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { Button, Card, Code, Outcome, prose, TextField, UntrustedText } from "../../parts/Parts.ts"
import { isUsable } from "../../format/Choices.ts"
import { account } from "../../session/Session.ts"
import { pathOf, pathTo } from "../../shell/Shell.ts"
import { bodyOf, curlOf, type FirstCall, inboxOf } from "./FirstCall.ts"
import { serviceUrl } from "../../shell/Location.ts"

export interface Progress {
  readonly overview: Overview
  readonly keys: ReadonlyArray<Key>
  readonly agent: Agent | undefined
  readonly task: Task | undefined
  readonly execution: Execution | undefined
  readonly hasArrived: boolean
}

export const FirstSteps = ({ of, onDone }: { readonly of: Progress; readonly onDone: () => void }) => {
  const { agent, execution, hasArrived, keys, overview, task } = of
  const [callbackUrl, setCallbackUrl] = useState(inboxOf(serviceUrl()))
  const key = keys.find(isUsable)
  const call = agent && task && { agentId: agent.id, taskId: task.id, callbackUrl }
  return (
    <Card title="Four steps to your first signed callback">
      <ol class="steps">
        <Step title="A runner is online" isDone={overview.runners > 0}>
          {overview.runners > 0 ? (
            <p class="quiet">
              {overview.runners === 1 ? "One runner is" : `${overview.runners} runners are`} online
              {task === undefined
                ? null
                : prose`, and there is the task ${<UntrustedText text={task.name} max={60} isBrief />}`}
              .
            </p>
          ) : (
            <p>
              Work is done by runners, which serve <a href={pathTo("/agents")}>agents</a>. Create an agent and
              connect a runner to it.
            </p>
          )}
        </Step>
        <Step title="Create an API key" isDone={key !== undefined}>
          {key === undefined ? (
            <p>
              Your system calls Runhook with it. The key and its signing secret are shown once, so keep them
              in your secret store.
            </p>
          ) : (
            <p class="quiet">
              <UntrustedText text={key.name} max={60} isBrief /> exists. Its secret was shown once; create
              another key if nobody saved it.
            </p>
          )}
          <p class="acts">
            <a class={key === undefined ? "btn first" : "btn"} href={pathTo("/keys/new")}>
              {key === undefined ? "Create a key" : "Create another key"}
            </a>
          </p>
        </Step>
        <Step title="Queue an execution" isDone={execution !== undefined}>
          {call === undefined ? (
            <p>
              You need a <a href={pathTo("/tasks")}>task</a> with a published version, and an{" "}
              <a href={pathTo("/agents")}>agent</a>.
            </p>
          ) : (
            <>
              <p>Paste this into a shell in which RUNHOOK_API_KEY is your key.</p>
              <TextField
                label="Callback URL"
                type="url"
                placeholder="https://your-system.example/hooks"
                value={callbackUrl}
                onText={setCallbackUrl}
              />
              <Code of="command that queues an execution" text={curlOf(call, serviceUrl())} />
              {key === undefined ? null : <RunHere of={call} keyId={key.id} />}
            </>
          )}
        </Step>
        <Step title="Watch the callbacks arrive" isDone={hasArrived}>
          {hasArrived ? (
            <p class="acts">
              <a class="btn" href={pathTo("/deliveries")}>
                See what was sent
              </a>
              <Button kind="first" onPress={onDone}>
                Show the overview
              </Button>
            </p>
          ) : (
            <>
              <p class="quiet">
                Three events follow within seconds: queued, started, completed. This step is ticked
                automatically.
              </p>
              <p class="live" role="status">
                Waiting for the first event
              </p>
            </>
          )}
          {execution === undefined ? null : (
            <p>
              <a href={pathOf`/executions/${execution.id}`}>Open the execution</a>
            </p>
          )}
        </Step>
      </ol>
    </Card>
  )
}

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  readonly children: ComponentChildren
}

const Step = ({ children, isDone, title }: StepProps) => (
  <li class={isDone ? "done" : undefined}>
    <div>
      <h3>
        {title}
        {isDone ? <span class="hide"> (done)</span> : null}
      </h3>
      {children}
    </div>
  </li>
)

interface RunHereProps {
  readonly of: FirstCall
  readonly keyId: string
}

/** The same without a shell, on behalf of the key. */
const RunHere = ({ keyId, of }: RunHereProps) => {
  const run = useAction(() => account.value.executions.create({ ...bodyOf(of), key_id: keyId }))
  return (
    <>
      <p class="acts">
        <span class="quiet">No shell?</span>
        <Button isChange action={run}>
          Run it from here
        </Button>
      </p>
      <Outcome problem={run.problem}>{run.done === undefined ? null : <p>Queued.</p>}</Outcome>
    </>
  )
}
