/** The actions on an execution, and their consequences. */
import { type AdminExecutionDetail, isFinished } from "@runhook/sdk/admin"
import { useLocation } from "../../shell/Location.ts"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button } from "../../parts/Button.tsx"
import { Copy } from "../../parts/Copy.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { TextField } from "../../parts/Field.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Paths.ts"
import { useShortcut } from "../../shell/Shortcuts.ts"
import { curlOf } from "./CurlCommand.ts"
import { Reschedule } from "./Reschedule.tsx"

export interface ExecutionActionsProps {
  readonly of: AdminExecutionDetail
  readonly onChanged: () => void
}

export const ExecutionActions = ({ of, onChanged }: ExecutionActionsProps) => {
  const [asking, setAsking] = useState<"cancel" | "rerun" | "reschedule">()
  const close = () => setAsking(undefined)
  const release = useAction(() => account.value.executions.release(of.execution_id), onChanged)
  const isWaiting = of.status === "queued" || of.status === "pending"
  useShortcut("r", "Run again", isFinished(of) ? () => setAsking("rerun") : undefined)
  return (
    <>
      {of.status === "pending" ? (
        <Button kind="first" isChange isRunning={release.isRunning} onPress={release.run}>
          Release
        </Button>
      ) : null}
      {isWaiting ? (
        <Button isChange onPress={() => setAsking("reschedule")}>
          Change start…
        </Button>
      ) : null}
      <Button isChange onPress={() => setAsking("rerun")}>
        Run again…
      </Button>
      <Copy text={() => curlOf(of, location.origin)} of="as curl" word="Copy as curl" />
      {isFinished(of) ? null : (
        <Button kind="risk" isChange onPress={() => setAsking("cancel")}>
          Cancel…
        </Button>
      )}
      <Outcome problem={release.problem} />
      <Cancel of={of} isOpen={asking === "cancel"} onClose={close} onChanged={onChanged} />
      <Rerun of={of} isOpen={asking === "rerun"} onClose={close} />
      <Reschedule of={of} isOpen={asking === "reschedule"} onClose={close} onChanged={onChanged} />
    </>
  )
}

interface AskProps {
  readonly of: AdminExecutionDetail
  readonly isOpen: boolean
  readonly onClose: () => void
}

const reasonMax = 1_000

const Cancel = ({ isOpen, of, onChanged, onClose }: AskProps & Pick<ExecutionActionsProps, "onChanged">) => {
  const [reason, setReason] = useState("")
  const cancel = useAction(
    () => account.value.executions.cancel(of.execution_id, reason === "" ? {} : { reason }),
    () => {
      onClose()
      onChanged()
    }
  )
  const isHeld = of.status === "running" || of.status === "awaiting_input"
  return (
    <Dialog
      title="Cancel this execution?"
      isOpen={isOpen}
      onClose={onClose}
      confirm={{
        word: "Cancel execution",
        action: cancel,
        run: cancel.run,
        isRisk: true,
        cancel: "Keep it"
      }}
    >
      <p>
        {isHeld
          ? "Its runner is told to stop at once, and given a moment for it. Side effects of the work are not undone."
          : "It has not started yet, and will not."}
        {of.callback_url === null ? null : (
          <>
            {" "}
            <code>execution.aborted</code> is sent to its callback URL.
          </>
        )}
      </p>
      <TextField
        label="Reason"
        isOptional
        hint="Kept with the execution."
        wrong={cancel.wrong("reason")}
        maxLength={reasonMax}
        value={reason}
        onText={setReason}
      />
    </Dialog>
  )
}

const Rerun = ({ isOpen, of, onClose }: AskProps) => {
  const { route } = useLocation()
  const [version, setVersion] = useState<"current" | "same">("same")
  const rerun = useAction(
    () => account.value.executions.rerun(of.execution_id, { version }),
    ({ execution_id }) => {
      onClose()
      route(pathOf`/executions/${execution_id}`)
    }
  )
  const versions = [
    ["same", `Version ${of.task_version_number}, as this one had`],
    ["current", "The version that is current now"]
  ] as const
  return (
    <Dialog
      title="Run it again?"
      isOpen={isOpen}
      onClose={onClose}
      confirm={{ word: "Run again", action: rerun, run: rerun.run }}
    >
      <p>
        A new execution with the same params, reference and metadata
        {of.callback_url === null ? "." : ", whose callbacks go to the same URL."} This one stays as it is.
      </p>
      <fieldset>
        <legend>Version of the task</legend>
        {versions.map(([name, words]) => (
          <label class="pick" key={name}>
            <input type="radio" name="version" checked={version === name} onChange={() => setVersion(name)} />
            {words}
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
