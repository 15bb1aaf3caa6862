/** The filters above the list of deliveries. */
import type { Filtering as Filters } from "../../data/Filters.ts"
import { useLoad } from "../../data/Loading.ts"
import { Field } from "../../parts/Field.tsx"
import { Words } from "../../parts/Words.tsx"
import { account } from "../../session/Session.ts"
import { causeWords } from "./CauseWords.ts"
import { answers, type FilterName, states, types } from "./DeliveryFilters.ts"

export const Filtering = ({ of }: { readonly of: Filters<FilterName> }) => {
  const { clear, filters, href, isAny, set } = of
  const keys = useLoad(`keys ${account.value.id}`, (signal) =>
    account.value.keys.list({ limit: 200 }, { signal }).page()
  )
  return (
    <>
      <nav class="tabs" aria-label="State">
        {states.map(({ state, words }) => (
          <a
            key={words}
            href={href({ state: state ?? "" })}
            aria-current={filters.state === state ? "true" : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
      <form class="tools" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Event, URL or id" isWide>
          {(input) => (
            <input
              {...input}
              key={filters.q}
              type="search"
              maxLength={200}
              placeholder="execution.failed, hooks.example.com, or any id"
              value={filters.q ?? ""}
              onChange={({ currentTarget }) => set({ q: currentTarget.value.trim() })}
            />
          )}
        </Field>
        <Field label="Type">
          {(input) => (
            <select
              {...input}
              value={filters.type ?? ""}
              onChange={({ currentTarget }) => set({ type: currentTarget.value })}
            >
              <option value="">Any type</option>
              {types.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Answer">
          {(input) => (
            <select
              {...input}
              value={filters.answer ?? ""}
              onChange={({ currentTarget }) => set({ answer: currentTarget.value })}
            >
              <option value="">Any answer</option>
              {answers.map(({ answer, words }) => (
                <option key={answer} value={answer}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TimeField label="From" value={filters.from} onSet={(from) => set({ from })} />
        <TimeField label="To" value={filters.to} onSet={(to) => set({ to })} />
        <Field label="Key">
          {(input) => (
            <select
              {...input}
              value={filters.key ?? ""}
              onChange={({ currentTarget }) => set({ key: currentTarget.value })}
            >
              <option value="">Any key</option>
              {(keys.data?.data ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name.slice(0, 60)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {isAny ? (
          <button type="button" class="bare" onClick={clear}>
            Clear
          </button>
        ) : null}
      </form>
      {filters.cause === undefined && filters.origin === undefined ? null : (
        <p class="acts">
          {filters.cause === undefined ? null : (
            <button type="button" onClick={() => set({ cause: "" })}>
              Cause: {causeWords(filters.cause)} ✕<span class="hide">, take away</span>
            </button>
          )}
          {filters.origin === undefined ? null : (
            <button type="button" onClick={() => set({ origin: "" })}>
              Receiver: <Words text={filters.origin} isBrief max={60} /> ✕
              <span class="hide">, take away</span>
            </button>
          )}
        </p>
      )}
    </>
  )
}

interface TimeFieldProps {
  readonly label: string
  /** An instant of the API. */
  readonly value: string | undefined
  readonly onSet: (value: string) => void
}

/** A time of the reader's zone, that stands in the address as an instant. */
const TimeField = ({ label, onSet, value }: TimeFieldProps) => (
  <Field label={label}>
    {(input) => (
      <input
        {...input}
        type="datetime-local"
        value={value === undefined ? "" : localOf(value)}
        onChange={({ currentTarget }) =>
          onSet(currentTarget.value === "" ? "" : new Date(currentTarget.value).toISOString())
        }
      />
    )}
  </Field>
)

const localOf = (instant: string): string => {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ""
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
