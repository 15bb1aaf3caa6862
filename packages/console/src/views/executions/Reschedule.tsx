/** Changes start time and priority of a waiting execution. */
import type { AdminExecutionDetail } from "@runhook/sdk/admin"
import { useForm } from "../../data/Data.ts"
import { localInput } from "../../format/Moments.ts"
import { Dialog, type Opened, TextField } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"

export const Reschedule = ({ of, onClose, onDone }: Opened & { readonly of: AdminExecutionDetail }) => {
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
