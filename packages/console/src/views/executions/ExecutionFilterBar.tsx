/** The filters above the list of executions. */
import type { FilterState } from "../../data/useFilters.ts"
import { useLoad } from "../../data/useLoad.ts"
import { plainWords } from "../../format/Hidden.ts"
import { Button } from "../../parts/Button.tsx"
import { Field } from "../../parts/Field.tsx"
import { CommittedInput } from "../../parts/CommittedInput.tsx"
import { account } from "../../session/Session.ts"
import type { filterNames } from "./ExecutionFilters.ts"

/** Most options of a select; for others there is a link on the page of the task or agent. */
const choicesMax = 200

export const ExecutionFilterBar = ({ by }: { readonly by: FilterState<(typeof filterNames)[number]> }) => {
  const { clear, filters, isAny, set } = by
  const { id } = account.value
  const { data } = useLoad(`names ${id}`, async (signal) => {
    const limit = choicesMax
    const [tasks, agents] = await Promise.all([
      account.value.tasks.list({}, { signal }).toArray({ limit }),
      account.value.agents.list({}, { signal }).toArray({ limit })
    ])
    return { tasks, agents }
  })
  return (
    <form class="tools" onSubmit={(event) => event.preventDefault()}>
      <Field label="Reference" isWide>
        {(input) => (
          <CommittedInput
            {...input}
            type="search"
            placeholder="exact reference"
            maxLength={255}
            value={filters.reference}
            onDone={(reference) => set({ reference })}
          />
        )}
      </Field>
      <Choice
        label="Task"
        any="Any task"
        of={data?.tasks}
        chosen={filters.task}
        onChoose={(task) => set({ task })}
      />
      <Choice
        label="Agent"
        any="Any agent"
        of={data?.agents}
        chosen={filters.agent}
        onChoose={(agent) => set({ agent })}
      />
      {(["from", "to"] as const).map((name) => (
        <Field label={name === "from" ? "From" : "To"} key={name}>
          {(input) => (
            <CommittedInput
              {...input}
              type="datetime-local"
              value={filters[name]}
              onDone={(moment) => set({ [name]: moment })}
            />
          )}
        </Field>
      ))}
      {isAny ? (
        <Button kind="bare" onPress={clear}>
          Clear
        </Button>
      ) : null}
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly any: string
  readonly of: ReadonlyArray<{ readonly id: string; readonly name: string }> | undefined
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

const Choice = ({ any, chosen, label, of, onChoose }: ChoiceProps) => (
  <Field label={label}>
    {(input) => (
      <select {...input} value={chosen ?? ""} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{any}</option>
        {chosen !== undefined && !of?.some(({ id }) => id === chosen) ? (
          <option value={chosen}>{chosen}</option>
        ) : null}
        {of?.map(({ id, name }) => (
          <option value={id} key={id}>
            {plainWords(name)}
          </option>
        ))}
      </select>
    )}
  </Field>
)
