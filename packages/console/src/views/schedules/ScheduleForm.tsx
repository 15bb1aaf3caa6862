/** Creates a schedule, or edits one. */
import { ChoiceField, Loaded, type Opened, PickOne, SaveDialog, TextField } from "../../parts/Parts.ts"
import type { Schedule } from "@runhook/sdk/admin"
import { useForm, useLoad, useNames } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { choicesOf, isUsable, type Named } from "../../format/Choices.ts"
import { SchemaForm } from "../../parts/form/SchemaForm.tsx"
import { useSchemaDraft } from "../../parts/form/useSchemaDraft.ts"
import { account } from "../../session/Session.ts"
import { zone, zoneName } from "../../time/Zone.ts"
import { bodyOf, changesOf, draftOf } from "./ScheduleDraft.ts"
import { missedPolicies, overlaps, timingWords } from "./ScheduleWords.ts"

interface ScheduleFormProps extends Opened<Schedule> {
  /** The schedule to edit; without it, a new one is created. */
  readonly of?: Schedule
}

/** Errors of all other fields are about the params. */
const ownFields: ReadonlySet<string> = new Set(
  "name cron time_zone every_seconds overlap missed jitter_seconds starts_at ends_at key_id agent_id task_id callback_url".split(
    " "
  )
)

const toChoose = (of: ReadonlyArray<Named> | undefined) => [["", "Choose"] as const, ...choicesOf(of)]

export const ScheduleForm = ({ of, onClose, onDone }: ScheduleFormProps) => {
  const { schedules, tasks } = account.value
  const names = useNames().data
  const form = useForm(
    draftOf(of, zoneName(zone.value)),
    (draft) => {
      const { value } = params.read()
      return of === undefined
        ? schedules.create(bodyOf(draft, value))
        : schedules.update(of.id, changesOf(draft, value, of))
    },
    onDone
  )
  const { by, cron, every, task } = form.values
  const schema = useLoad(`schema of ${task}`, async (signal) => {
    const version = task === "" ? null : (await tasks.get(task, { signal })).current_version
    return (
      version && (await tasks.version({ task_id: task, version_id: version.id }, { signal })).params_schema
    )
  })
  const params = useSchemaDraft(schema.data ?? undefined, of?.execution.params)
  const ofParams = Object.keys(form.problem?.fields ?? {})
    .filter((path) => !ownFields.has(path.replace("execution.", "")))
    .map((path) => [path.replace(/^execution\.params\.?/, ""), form.wrong(path) ?? ""] as const)
  /** A field of the execution, of which the service also says what is wrong by its name alone. */
  const ofExecution = (name: "agent" | "callbackUrl" | "task", path: string) => {
    const field = form.field(name, `execution.${path}`)
    return { ...field, wrong: field.wrong ?? form.wrong(path) }
  }
  const why =
    schema.data === undefined
      ? "Its params are not loaded yet."
      : Object.keys(params.read().wrong).length > 0
        ? "Correct the params first."
        : undefined
  return (
    <SaveDialog one="schedule" isNew={of === undefined} action={form} why={why} onClose={onClose}>
      <TextField {...form.field("name")} label="Name" required maxLength={200} />
      <div class="two">
        {task === "" && of !== undefined ? null : (
          <ChoiceField {...ofExecution("task", "task_id")} label="Task" options={toChoose(names?.tasks)} />
        )}
        <ChoiceField {...ofExecution("agent", "agent_id")} label="Agent" options={toChoose(names?.agents)} />
        <ChoiceField
          {...form.field("key", "key_id")}
          label="Run as key"
          hint="Its limits apply, and its secret signs the callbacks."
          options={toChoose(names?.keys.filter(isUsable))}
        />
      </div>
      <PickOne
        legend="When"
        value={by === "every" ? "every" : "cron"}
        onPick={(next) => form.set({ by: next })}
        options={[
          ["cron", "At times of the clock"],
          ["every", "At a distance"]
        ]}
      />
      {by === "every" ? (
        <TextField
          {...form.field("every", "every_seconds")}
          label="Seconds between due times"
          hint={durationWords(Number(every) * 1_000)}
          type="number"
          min={1}
          required
        />
      ) : (
        <div class="two">
          <TextField
            {...form.field("cron")}
            label="Cron expression"
            hint={`Minute, hour, day of month, month, day of week: ${timingWords({ cron, every_seconds: null })}`}
            required
          />
          <TextField
            {...form.field("zone", "time_zone")}
            label="Time zone"
            hint="Such as Europe/Berlin."
            required
          />
        </div>
      )}
      <Loaded of={schema} what="schema of its params" lines={2}>
        {(known) =>
          known && (
            <SchemaForm
              {...params}
              label="Params"
              wrong={params.wrongWith(
                form.problem && { ...form.problem, fields: Object.fromEntries(ofParams) }
              )}
            />
          )
        }
      </Loaded>
      <TextField
        {...ofExecution("callbackUrl", "callback_url")}
        label="Callback URL"
        isOptional
        inputMode="url"
        placeholder="https://"
      />
      <details class="fold">
        <summary>Overlap, outages, first and last day</summary>
        <div class="two">
          <ChoiceField
            {...form.field("overlap")}
            label="While an earlier one is unfinished"
            options={overlaps}
          />
          <ChoiceField {...form.field("missed")} label="Due times of an outage" options={missedPolicies} />
          <TextField
            {...form.field("jitter", "jitter_seconds")}
            label="Jitter, in seconds"
            hint="Each begins up to so much later."
            type="number"
            min={0}
          />
          <TextField {...form.field("starts", "starts_at")} label="Not before" type="datetime-local" />
          <TextField {...form.field("ends", "ends_at")} label="Not after" type="datetime-local" />
        </div>
      </details>
    </SaveDialog>
  )
}
