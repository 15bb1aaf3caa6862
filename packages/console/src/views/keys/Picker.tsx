/** Picks all of the account's tasks or agents, or some of them by name. */
import { useState } from "preact/hooks"
import { useNames } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import type { Named } from "../../format/Choices.ts"
import { Pick, UntrustedText } from "../../parts/Parts.ts"

/** A task has a slug, which is its name for machines. */
interface Pickable extends Named {
  readonly slug?: string
}

export interface PickerProps {
  readonly legend: string
  readonly of: "agent" | "task"
  /** Null: all. */
  readonly value: ReadonlySet<string> | null
  readonly onChange: (value: ReadonlySet<string> | null) => void
  readonly wrong?: string | undefined
}

/** Fewest options for which a search field is shown. */
const searchedFrom = 8

export const Picker = ({ legend, of: one, onChange, value, wrong }: PickerProps) => {
  const names = useNames().data
  const { agents = [], tasks = [] } = names ?? {}
  const options: ReadonlyArray<Pickable> = one === "task" ? tasks : agents
  const [text, setText] = useState("")
  const folded = text.trim().toLowerCase()
  const found = options.filter(({ id, name, slug = "" }) =>
    [id, name, slug].some((each) => each.toLowerCase().includes(folded))
  )
  const pick = (id: string, isPicked: boolean) => {
    const next = new Set(value)
    if (isPicked) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  return (
    <fieldset>
      <legend>{legend}</legend>
      <Pick oneOf={`${one}s`} isPicked={value === null} onPick={() => onChange(null)}>
        All, including future ones
      </Pick>
      <Pick oneOf={`${one}s`} isPicked={value !== null} onPick={() => onChange(new Set())}>
        Only these
      </Pick>
      {value === null ? null : (
        <div class="picking">
          {options.length < searchedFrom ? null : (
            <input
              type="search"
              aria-label={`Find ${one === "agent" ? "an" : "a"} ${one}`}
              placeholder={`Find ${one === "agent" ? "an" : "a"} ${one}`}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
          <div
            class="picked"
            role="group"
            aria-label={`${legend}: choose`}
            tabIndex={found.length > 8 ? 0 : undefined}
          >
            {found.map(({ id, name, slug }) => (
              <Pick key={id} isPicked={value.has(id)} onPick={(isPicked) => pick(id, isPicked)}>
                <strong>
                  <UntrustedText text={name} isBrief />
                </strong>{" "}
                {slug === undefined ? null : <span class="quiet">{slug}</span>}
              </Pick>
            ))}
            {found.length > 0 || names === undefined ? null : (
              <p class="quiet">{options.length === 0 ? `There is no ${one} yet.` : "No match."}</p>
            )}
          </div>
          <p class="hint" role="status">
            {value.size === 0
              ? `None picked: the key may use no ${one}.`
              : `${countOf(value.size, one)} picked.`}
          </p>
        </div>
      )}
      {wrong === undefined ? null : <p class="wrong">{wrong}</p>}
    </fieldset>
  )
}
