/** The fields of a key, for a new one and for changes. */
import { ChoiceField, PickOne, PickSome, prose, TextField } from "../../parts/Parts.ts"
import { oneOf } from "../../format/Choices.ts"
import { now } from "../../time/Clock.ts"
import { expiries, type KeyDraft } from "./KeyDraft.ts"
import { Picker } from "./Picker.tsx"
import type { KnownCapability } from "@runhook/sdk/admin"
import { capabilities, type CapabilityPreset, capabilityWords } from "./KeyWords.ts"

interface KeyFieldsProps {
  readonly value: KeyDraft
  readonly onChange: (value: KeyDraft) => void
  readonly wrong: (field: string) => string | undefined
}

export const KeyFields = ({ onChange, value, wrong }: KeyFieldsProps) => {
  const set = (changes: Partial<KeyDraft>) => onChange({ ...value, ...changes })
  /** Ties a text of the draft to its field. */
  const text = (field: "burst" | "day" | "maxLive" | "name" | "perSecond", path: string) => ({
    value: value[field],
    onText: (typed: string) => set({ [field]: typed }),
    wrong: wrong(path)
  })
  const { agents, burst, chosen, expiry, perSecond, preset, tasks } = value
  return (
    <>
      <TextField
        {...text("name", "name")}
        label="Name"
        hint="The system that will use it."
        required
        pattern=".*\S.*"
        maxLength={200}
      />
      <Picker
        legend="Tasks it may run"
        of="task"
        value={tasks}
        onChange={(next) => set({ tasks: next })}
        wrong={wrong("allowed_task_ids")}
      />
      <Picker
        legend="Agents it may use"
        of="agent"
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
          onText={(next) => set({ expiry: oneOf(expiries, next) ?? "never" })}
          options={[
            ["never", "Never"],
            ["30", "In 30 days"],
            ["90", "In 90 days"],
            ["date", "On a date"]
          ]}
        />
        {expiry === "date" ? (
          <TextField
            {...text("day", "")}
            label="Last day"
            type="date"
            required
            min={new Date(now()).toISOString().slice(0, 10)}
          />
        ) : null}
        <TextField
          {...text("maxLive", "max_live")}
          label="Max. concurrent executions"
          hint="Empty: the account's limit."
          type="number"
          min={1}
        />
        <TextField
          {...text("perSecond", "rate_limit.per_second")}
          label="Requests per second"
          hint="Empty: the default of the service."
          wrong={wrong("rate_limit.per_second") ?? wrong("rate_limit")}
          type="number"
          min={1}
          required={burst !== ""}
        />
        <TextField
          {...text("burst", "rate_limit.burst")}
          label="Requests at once"
          hint="What may come in one burst."
          type="number"
          min={1}
          required={perSecond !== ""}
        />
      </div>
    </>
  )
}

interface CapabilityChoice {
  readonly preset: CapabilityPreset
  readonly chosen: ReadonlySet<KnownCapability>
}

interface CapabilitiesProps {
  readonly value: CapabilityChoice
  readonly onChange: (value: CapabilityChoice) => void
}

const presets: ReadonlyArray<readonly [preset: CapabilityPreset, name: string, more: string]> = [
  ["all", "Run work", ": queue, read, cancel, answer, files, callbacks"],
  ["read", "Read only", ""],
  ["chosen", "Choose", ` of ${capabilities.length} capabilities`]
]

/** The capabilities of a key: two presets, or a choice of single ones. */
const Capabilities = ({ onChange, value: { chosen, preset } }: CapabilitiesProps) => {
  return (
    <>
      <PickOne
        legend="What it may do"
        value={preset}
        onPick={(each) => onChange({ preset: each, chosen })}
        options={presets.map(([each, name, more]) => [each, prose`${<strong>{name}</strong>}${more}`])}
      />
      {preset === "chosen" ? (
        <div class="picking">
          <PickSome
            legend={<span class="hide">Capabilities</span>}
            value={[...chosen]}
            onPick={(next) => onChange({ preset, chosen: new Set(next) })}
            options={capabilities.map((each) => [
              each,
              prose`${capabilityWords[each]} ${<code class="quiet">{each}</code>}`
            ])}
          />
        </div>
      ) : null}
    </>
  )
}
