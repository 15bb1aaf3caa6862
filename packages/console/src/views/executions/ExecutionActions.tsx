/** The actions on an execution, and their consequences. */
import { type AdminExecution, type AdminExecutionDetail, isFinished } from "@runhook/sdk/admin"
import { pathOf, useLocation, useShortcut } from "../../shell/Shell.ts"
import { useState } from "preact/hooks"
import { useAction, useForm } from "../../data/Data.ts"
import { Button, Copy, Dialog, type Opened, Opener, Outcome, PickOne, prose } from "../../parts/Parts.ts"
import { TextField } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { curlOf } from "./CurlCommand.ts"
import { localInput } from "../../format/Moments.ts"
import { serviceUrl } from "../../shell/Location.ts"

interface ExecutionActionsProps {
  readonly of: AdminExecutionDetail
  readonly onChanged: () => void
}

export const ExecutionActions = ({ of, onChanged }: ExecutionActionsProps) => {
  const [isRerun, setRerun] = useState(false)
  const release = useAction(() => account.value.executions.release(of.execution_id), onChanged)
  const isWaiting = of.status === "queued" || of.status === "pending"
  useShortcut("r", "Run again", isFinished(of) ? () => setRerun(true) : undefined)
  return (
    <>
      {of.status === "pending" ? (
        <Button kind="first" isChange action={release}>
          Release
        </Button>
      ) : null}
      {isWaiting ? (
        <Opener word="Change start…" onDone={onChanged}>
          {(dialog) => <Reschedule of={of} {...dialog} />}
        </Opener>
      ) : null}
      <Button isChange onPress={() => setRerun(true)}>
        Run again…
      </Button>
      <Copy text={() => curlOf(of, serviceUrl())} of="as curl" word="Copy as curl" />
      {isFinished(of) ? null : (
        <Opener kind="risk" word="Cancel…" onDone={onChanged}>
          {(dialog) => <CancelDialog id={of.execution_id} of={of} {...dialog} />}
        </Opener>
      )}
      <Outcome problem={release.problem} />
      {isRerun ? <Rerun of={of} onClose={() => setRerun(false)} /> : null}
    </>
  )
}

const reasonMax = 1_000

interface CancelDialogProps extends Opened {
  readonly id: string
  readonly of: Pick<AdminExecution, "callback_url" | "status">
}

export const CancelDialog = ({ id, of, onClose, onDone }: CancelDialogProps) => {
  const cancel = useForm(
    { reason: "" },
    ({ reason }) => account.value.executions.cancel(id, reason === "" ? {} : { reason }),
    onDone
  )
  const isHeld = of.status === "running" || of.status === "awaiting_input"
  return (
    <Dialog
      title="Cancel this execution?"
      onClose={onClose}
      confirm={{ word: "Cancel execution", action: cancel, isRisk: true, cancel: "Keep it" }}
    >
      <p>
        {isHeld
          ? "Its runner is told to stop at once, and given a moment for it. Side effects of the work are not undone."
          : "It has not started yet, and will not."}
        {of.callback_url === null
          ? null
          : prose` ${<code>execution.aborted</code>} is sent to its callback URL.`}
      </p>
      <TextField
        {...cancel.field("reason")}
        label="Reason"
        isOptional
        hint="Kept with the execution."
        maxLength={reasonMax}
      />
    </Dialog>
  )
}

const Rerun = ({ of, onClose }: Pick<Opened, "onClose"> & { readonly of: AdminExecutionDetail }) => {
  const { route } = useLocation()
  const [version, setVersion] = useState<"current" | "same">("same")
  const rerun = useAction(
    () => account.value.executions.rerun(of.execution_id, { version }),
    ({ execution_id }) => {
      onClose()
      route(pathOf`/executions/${execution_id}`)
    }
  )
  return (
    <Dialog title="Run it again?" onClose={onClose} confirm={{ word: "Run again", action: rerun }}>
      <p>
        A new execution with the same params, reference and metadata
        {of.callback_url === null ? "." : ", whose callbacks go to the same URL."} This one stays as it is.
      </p>
      <PickOne
        legend="Version of the task"
        options={[
          ["same", `Version ${of.task_version_number}, as this one had`],
          ["current", "The version that is current now"]
        ]}
        value={version}
        onPick={setVersion}
      />
    </Dialog>
  )
}

/** Changes start time and priority of a waiting execution. */
const Reschedule = ({ of, onClose, onDone }: Opened & { readonly of: AdminExecutionDetail }) => {
  const before = localInput(of.scheduled_at)
  const save = useForm(
    { priority: String(of.priority), start: before },
    ({ priority, start }) =>
      account.value.executions.reschedule(of.execution_id, {
        priority: Number(priority),
        ...(start === before ? {} : { scheduled_at: start === "" ? null : new Date(start).toISOString() })
      }),
    onDone
  )
  return (
    <Dialog
      title="Change its start"
      onClose={onClose}
      confirm={{ word: "Change", cancel: "Leave it", action: save }}
    >
      <TextField
        {...save.field("priority")}
        label="Priority"
        hint="-1000 to 1000; higher runs first"
        type="number"
        min={-1_000}
        max={1_000}
        required
      />
      <TextField
        {...save.field("start", "scheduled_at")}
        label="Not before"
        hint="Empty: as soon as possible"
        type="datetime-local"
      />
    </Dialog>
  )
}
