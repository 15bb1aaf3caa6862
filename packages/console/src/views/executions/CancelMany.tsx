/** Asks before all executions that match are cancelled, with their number. The service does it, by a job. */
import type { AdminCancelFilter } from "@runhook/sdk/admin"
import { useForm, useLoad } from "../../data/Data.ts"
import { countOf, countWords } from "../../format/Amounts.ts"
import { Dialog, Loaded, type Opened, TextField } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf, useLocation } from "../../shell/Shell.ts"

interface CancelManyProps extends Pick<Opened, "onClose"> {
  readonly filter: AdminCancelFilter
}

export const CancelMany = ({ filter, onClose }: CancelManyProps) => {
  const { route } = useLocation()
  const { executions } = account.value
  const count = useLoad(JSON.stringify(filter), (signal) =>
    executions.cancelAll(filter, { dryRun: true, signal })
  )
  const cancel = useForm(
    { reason: "" },
    ({ reason }) => executions.cancelAll(filter, reason === "" ? {} : { reason }),
    ({ job_id }) => route(pathOf`/cancels/${job_id}`)
  )
  const matched = count.data?.matched
  return (
    <Dialog
      title="Cancel all that match?"
      onClose={onClose}
      confirm={
        count.data && {
          word: typeof matched === "number" ? `Cancel ${countWords(matched)}` : "Cancel all",
          action: cancel,
          isRisk: true,
          cancel: "Not now",
          why: matched === 0 ? "None of them is unfinished." : undefined
        }
      }
    >
      <Loaded of={count} what="count" lines={2}>
        {() => (
          <>
            <p>
              {typeof matched === "number" ? (
                <strong>{countOf(matched, "unfinished execution")}.</strong>
              ) : (
                <strong>More than can be counted.</strong>
              )}{" "}
              Those that have ended stay as they are. Side effects of the work are not undone.
            </p>
            <TextField
              {...cancel.field("reason")}
              label="Reason"
              isOptional
              hint="Kept with each execution."
              maxLength={1_000}
            />
            <p class="small quiet">
              It goes on when this page is closed. You can stop it at any time; what is cancelled stays
              cancelled.
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
