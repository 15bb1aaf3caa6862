/** The filters above the list of deliveries. */
import type { ComponentChildren } from "preact"
import type { FilterState as Filters } from "../../data/useFilters.ts"
import { useLoad } from "../../data/useLoad.ts"
import { plainWords } from "../../format/Hidden.ts"
import { Field } from "../../parts/Field.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { CommittedInput } from "../../parts/CommittedInput.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { causeWords } from "./CauseWords.ts"
import { answers, type FilterName, states, types } from "./DeliveryFilters.ts"

export const DeliveryFilterBar = ({ of }: { readonly of: Filters<FilterName> }) => {
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
            <CommittedInput
              {...input}
              type="search"
              maxLength={200}
              placeholder="execution.failed, hooks.example.com, or any id"
              value={filters.q}
              onDone={(q) => set({ q: q.trim() })}
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
                  {plainWords(name)}
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
      <LinkFilters of={of} />
    </>
  )
}

/** Filters that come from links and have no field. */
const LinkFilters = ({ of: { filters, set } }: { readonly of: Filters<FilterName> }) => {
  const { cause, origin, to } = filters
  if (cause === undefined && origin === undefined && to === undefined) return null
  return (
    <p class="tools">
      {cause === undefined ? null : (
        <LinkFilter onPress={() => set({ cause: "" })}>Cause: {causeWords(cause)}</LinkFilter>
      )}
      {origin === undefined ? null : (
        <LinkFilter onPress={() => set({ origin: "" })}>
          Receiver: <UntrustedText text={origin} isBrief max={60} />
        </LinkFilter>
      )}
      {to === undefined ? null : (
        <LinkFilter onPress={() => set({ to: "" })}>
          Until <Moment at={to} />
        </LinkFilter>
      )}
    </p>
  )
}

const LinkFilter = ({
  children,
  onPress
}: {
  readonly children: ComponentChildren
  readonly onPress: () => void
}) => (
  <button type="button" onClick={onPress}>
    {children} <span aria-hidden="true">×</span>
    <span class="hide">, remove</span>
  </button>
)

interface TimeFieldProps {
  readonly label: string
  /** An instant of the API. */
  readonly value: string | undefined
  readonly onSet: (value: string) => void
}

/** A time in the user's zone, kept in the address as an instant. */
const TimeField = ({ label, onSet, value }: TimeFieldProps) => (
  <Field label={label}>
    {(input) => (
      <CommittedInput
        {...input}
        type="datetime-local"
        value={value === undefined ? "" : localOf(value)}
        onDone={(moment) => onSet(moment === "" ? "" : new Date(moment).toISOString())}
      />
    )}
  </Field>
)

const localOf = (instant: string): string => {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ""
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
