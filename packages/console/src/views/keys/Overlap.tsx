/** Chooses how long the old secret stays valid beside the new one. */
import { Field } from "../../parts/Field.tsx"

const choices: ReadonlyArray<readonly [seconds: number, words: string]> = [
  [3_600, "1 hour"],
  [86_400, "24 hours"],
  [604_800, "7 days"],
  [2_592_000, "30 days"]
]

export interface OverlapProps {
  readonly label: string
  readonly value: number
  readonly onChange: (seconds: number) => void
  /** Whether zero is offered. */
  readonly hasNone?: boolean
}

export const Overlap = ({ hasNone = false, label, onChange, value }: OverlapProps) => (
  <Field label={label}>
    {(input) => (
      <select
        {...input}
        value={value}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      >
        {hasNone ? <option value={0}>At once: the key leaked</option> : null}
        {choices.map(([seconds, words]) => (
          <option key={seconds} value={seconds}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
)
