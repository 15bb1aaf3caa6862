/** The capabilities of a key: two presets, or a choice of single ones. */
import type { KnownCapability } from "@runhook/sdk/admin"
import { Pick, PickOne } from "../../parts/Pick.tsx"
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
    <>
      <PickOne
        legend="What it may do"
        value={preset}
        onPick={(each) => onChange({ preset: each, chosen })}
        options={presets.map(([each, name, more]) => [each, <Preset key={each} {...{ name, more }} />])}
      />
      {preset === "chosen" ? (
        <div class="picking">
          {capabilities.map((capability) => (
            <Pick
              key={capability}
              isPicked={chosen.has(capability)}
              onPick={(isPicked) => choose(capability, isPicked)}
            >
              {capabilityWords[capability]} <code class="quiet">{capability}</code>
            </Pick>
          ))}
        </div>
      ) : null}
    </>
  )
}

const Preset = ({ more, name }: { readonly name: string; readonly more: string }) => (
  <>
    <strong>{name}</strong>
    {more}
  </>
)
