/** Chooses how long the old secret stays valid beside the new one. */
import { ChoiceField } from "../../parts/Parts.ts"

const choices: ReadonlyArray<readonly [seconds: string, words: string]> = [
  ["3600", "1 hour"],
  ["86400", "24 hours"],
  ["604800", "7 days"],
  ["2592000", "30 days"]
]

export interface OverlapProps {
  readonly label: string
  readonly value: number
  readonly onChange: (seconds: number) => void
  /** Whether zero is offered. */
  readonly hasNone?: boolean
}

export const Overlap = ({ hasNone = false, label, onChange, value }: OverlapProps) => (
  <ChoiceField
    label={label}
    value={String(value)}
    onText={(seconds) => onChange(Number(seconds))}
    options={[...(hasNone ? [["0", "At once: the key leaked"] as const] : []), ...choices]}
  />
)
