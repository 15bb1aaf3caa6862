/** Changes start time and priority of a waiting execution. */
import type { AdminExecutionDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { localInput } from "../../format/Moments.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field } from "../../parts/Field.tsx"
import { Outcome } from "../../parts/problem/ProblemNote.tsx"
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
    <Dialog title="Change its start" isOpen={isOpen} onClose={onClose} onSubmit={save.run}>
      <Field label="Priority" hint="-1000 to 1000; higher runs first" wrong={save.wrong("priority")}>
        {(input) => (
          <input
            {...input}
            type="number"
            min={-1_000}
            max={1_000}
            required
            value={priority}
            onInput={(event) => setPriority(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label="Not before"
        hint="Empty: as soon as there is room for it"
        wrong={save.wrong("scheduled_at")}
      >
        {(input) => (
          <input
            {...input}
            type="datetime-local"
            value={start}
            onInput={(event) => setStart(event.currentTarget.value)}
          />
        )}
      </Field>
      <Outcome problem={save.problem} />
      <p class="acts">
        <Button onPress={onClose}>Leave it</Button>
        <Button kind="first" isSubmit isChange isRunning={save.isRunning}>
          Change
        </Button>
      </p>
    </Dialog>
  )
}
