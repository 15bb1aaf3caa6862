/** Changes start time and priority of a waiting execution. */
import type { AdminExecutionDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { localInput } from "../../format/Moments.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import { TextField } from "../../parts/Field.tsx"
import { account } from "../../session/Session.ts"

export interface RescheduleProps {
  readonly of: AdminExecutionDetail
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

export const Reschedule = ({ isOpen, of, onChanged, onClose }: RescheduleProps) => {
  const [priority, setPriority] = useState(String(of.priority))
  const before = localInput(of.scheduled_at)
  const [start, setStart] = useState(before)
  const save = useAction(
    () =>
      account.value.executions.reschedule(of.execution_id, {
        priority: Number(priority),
        ...(start === before ? {} : { scheduled_at: start === "" ? null : new Date(start).toISOString() })
      }),
    () => {
      onClose()
      onChanged()
    }
  )
  return (
    <Dialog
      title="Change its start"
      isOpen={isOpen}
      onClose={onClose}
      confirm={{ word: "Change", cancel: "Leave it", action: save, run: save.run }}
    >
      <TextField
        label="Priority"
        hint="-1000 to 1000; higher runs first"
        type="number"
        min={-1_000}
        max={1_000}
        required
        value={priority}
        onText={setPriority}
        wrong={save.wrong("priority")}
      />
      <TextField
        label="Not before"
        hint="Empty: as soon as possible"
        type="datetime-local"
        value={start}
        onText={setStart}
        wrong={save.wrong("scheduled_at")}
      />
    </Dialog>
  )
}
