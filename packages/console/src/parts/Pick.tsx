/** A box or a button to tick, with its label. */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface PickProps {
  readonly isPicked: boolean
  readonly onPick: (isPicked: boolean) => void
  /** Of those with one name, one is picked. Without it, each is by itself. */
  readonly oneOf?: string
  readonly isRequired?: boolean
  readonly class?: string
  readonly children: ComponentChildren
}

export const Pick = ({ children, class: name = "pick", isPicked, isRequired, oneOf, onPick }: PickProps) => (
  <label class={name}>
    <input
      type={oneOf === undefined ? "checkbox" : "radio"}
      name={oneOf}
      required={isRequired}
      checked={isPicked}
      onChange={({ currentTarget }) => onPick(currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
)

interface Picks<Value extends string> {
  readonly legend: ComponentChildren
  readonly options: ReadonlyArray<readonly [value: Value, words: ComponentChildren]>
}

export interface PickOneProps<Value extends string> extends Picks<Value> {
  readonly value: Value
  readonly onPick: (value: Value) => void
}

/** One of a few, all of which are seen. */
export const PickOne = <Value extends string>({ legend, onPick, options, value }: PickOneProps<Value>) => {
  const name = useId()
  return (
    <fieldset>
      <legend>{legend}</legend>
      {options.map(([each, words]) => (
        <Pick key={each} oneOf={name} isPicked={each === value} onPick={() => onPick(each)}>
          {words}
        </Pick>
      ))}
    </fieldset>
  )
}

export interface PickSomeProps<Value extends string> extends Picks<Value> {
  readonly value: ReadonlyArray<Value>
  /** In the order of the options. */
  readonly onPick: (value: ReadonlyArray<Value>) => void
}

/** Any number of a few, all of which are seen. */
export const PickSome = <Value extends string>({ legend, onPick, options, value }: PickSomeProps<Value>) => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(([each, words]) => (
      <Pick
        key={each}
        isPicked={value.includes(each)}
        onPick={(isPicked) =>
          onPick(options.map(([one]) => one).filter((one) => (one === each ? isPicked : value.includes(one))))
        }
      >
        {words}
      </Pick>
    ))}
  </fieldset>
)
