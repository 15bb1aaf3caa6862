/** The fields of a key, for a new one and for changes. */
import { ChoiceField, TextField } from "../../parts/Field.tsx"
import { now } from "../../time/Clock.ts"
import { Capabilities } from "./Capabilities.tsx"
import type { KeyDraft } from "./KeyDraft.ts"
import { Picker } from "./Picker.tsx"
import { useNames } from "./useNames.ts"

export interface KeyFieldsProps {
  readonly value: KeyDraft
  readonly onChange: (value: KeyDraft) => void
  readonly wrong: (field: string) => string | undefined
}

export const KeyFields = ({ onChange, value, wrong }: KeyFieldsProps) => {
  const names = useNames()
  const set = (changes: Partial<KeyDraft>) => onChange({ ...value, ...changes })
  const { agents, burst, chosen, day, expiry, maxLive, name, perSecond, preset, tasks } = value
  return (
    <>
      <TextField
        label="Name"
        hint="The system that will use it."
        wrong={wrong("name")}
        required
        pattern=".*\S.*"
        maxLength={200}
        value={name}
        onText={(text) => set({ name: text })}
      />
      <Picker
        legend="Tasks it may run"
        one="task"
        options={names.data?.tasks ?? []}
        value={tasks}
        onChange={(next) => set({ tasks: next })}
        wrong={wrong("allowed_task_ids")}
      />
      <Picker
        legend="Agents it may use"
        one="agent"
        options={names.data?.agents ?? []}
        value={agents}
        onChange={(next) => set({ agents: next })}
        wrong={wrong("allowed_agent_ids")}
      />
      <Capabilities value={{ preset, chosen }} onChange={set} />
      <div class="two">
        <ChoiceField
          label="Expires"
          wrong={wrong("expires_at")}
          value={expiry}
          onText={(next) =>
            set({ expiry: next === "30" || next === "90" || next === "date" ? next : "never" })
          }
          options={[
            ["never", "Never"],
            ["30", "In 30 days"],
            ["90", "In 90 days"],
            ["date", "On a date"]
          ]}
        />
        {expiry === "date" ? (
          <TextField
            label="Last day"
            type="date"
            required
            min={new Date(now()).toISOString().slice(0, 10)}
            value={day}
            onText={(text) => set({ day: text })}
          />
        ) : null}
        <TextField
          label="Max. concurrent executions"
          hint="Empty: the account's limit."
          wrong={wrong("max_live")}
          type="number"
          min={1}
          value={maxLive}
          onText={(text) => set({ maxLive: text })}
        />
        <TextField
          label="Requests per second"
          hint="Empty: the default of the service."
          wrong={wrong("rate_limit.per_second") ?? wrong("rate_limit")}
          type="number"
          min={1}
          required={burst !== ""}
          value={perSecond}
          onText={(text) => set({ perSecond: text })}
        />
        <TextField
          label="Requests at once"
          hint="What may come in one burst."
          wrong={wrong("rate_limit.burst")}
          type="number"
          min={1}
          required={perSecond !== ""}
          value={burst}
          onText={(text) => set({ burst: text })}
        />
      </div>
    </>
  )
}
