/** Creates an agent, or edits one. */
import { type Opened, SaveDialog, TextField } from "../../parts/Parts.ts"
import type { Agent, AgentDetail } from "@runhook/sdk/admin"
import { useForm } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"

interface AgentFormProps extends Opened<AgentDetail> {
  /** The agent to edit; without it, a new one is created. */
  readonly agent?: Agent
}

export const AgentForm = ({ agent, onClose, onDone }: AgentFormProps) => {
  const { agents } = account.value
  const { capacity = 1, description = "", name = "" } = agent ?? {}
  const save = useForm(
    { name, description, capacity: String(capacity) },
    (typed) => {
      const body = { ...typed, capacity: Number(typed.capacity) }
      return agent === undefined ? agents.create(body) : agents.update(agent.id, body)
    },
    onDone
  )
  return (
    <SaveDialog one="agent" isNew={agent === undefined} action={save} onClose={onClose}>
      <TextField {...save.field("name")} label="Name" hint="Callers choose it by this." required />
      <TextField {...save.field("description")} label="Description" isOptional />
      <TextField
        {...save.field("capacity")}
        label="Slots"
        hint="Executions that run on it at once."
        type="number"
        required
        min={1}
      />
    </SaveDialog>
  )
}
