/** The capabilities of a key: two presets, or a choice of single ones. */
import type { KnownCapability } from "@runhook/sdk/admin"
import { PickOne, PickSome } from "../../parts/Parts.ts"
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
          <PickSome
            legend={<span class="hide">Capabilities</span>}
            value={[...chosen]}
            onPick={(next) => onChange({ preset, chosen: new Set(next) })}
            options={capabilities.map((each) => [each, <Capability key={each} of={each} />])}
          />
        </div>
      ) : null}
    </>
  )
}

const Capability = ({ of }: { readonly of: KnownCapability }) => (
  <>
    {capabilityWords[of]} <code class="quiet">{of}</code>
  </>
)

const Preset = ({ more, name }: { readonly name: string; readonly more: string }) => (
  <>
    <strong>{name}</strong>
    {more}
  </>
)
