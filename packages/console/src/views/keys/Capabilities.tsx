/** The capabilities of a key: two presets, or a choice of single ones. */
import type { KnownCapability } from "@runhook/sdk/admin"
import { capabilities, type CapabilityPreset, capabilityWords } from "./KeyWords.ts"

export interface CapabilityChoice {
  readonly preset: CapabilityPreset
  readonly chosen: ReadonlySet<KnownCapability>
}

export interface CapabilitiesProps {
  readonly value: CapabilityChoice
  readonly onChange: (value: CapabilityChoice) => void
}

const presets: ReadonlyArray<readonly [preset: CapabilityPreset, name: string, more: string]> = [
  ["all", "Run work", ": queue, read, cancel, answer, files, callbacks"],
  ["read", "Read only", ""],
  ["chosen", "Choose", ` of ${capabilities.length} capabilities`]
]

export const Capabilities = ({ onChange, value: { chosen, preset } }: CapabilitiesProps) => {
  const choose = (capability: KnownCapability, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(capability)
    else next.delete(capability)
    onChange({ preset, chosen: next })
  }
  return (
    <fieldset>
      <legend>What it may do</legend>
      {presets.map(([each, name, more]) => (
        <label class="pick" key={each}>
          <input
            type="radio"
            name="capabilities"
            checked={preset === each}
            onChange={() => onChange({ preset: each, chosen })}
          />
          <span>
            <strong>{name}</strong>
            {more}
          </span>
        </label>
      ))}
      {preset === "chosen" ? (
        <div class="picking">
          {capabilities.map((capability) => (
            <label class="pick" key={capability}>
              <input
                type="checkbox"
                checked={chosen.has(capability)}
                onChange={({ currentTarget }) => choose(capability, currentTarget.checked)}
              />
              <span>
                {capabilityWords[capability]} <code class="quiet">{capability}</code>
              </span>
            </label>
          ))}
        </div>
      ) : null}
    </fieldset>
  )
}
