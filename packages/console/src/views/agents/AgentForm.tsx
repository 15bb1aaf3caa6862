/** Creates an agent, or edits one. */
import type { Agent, AgentDetail } from "@runhook/sdk/admin"
import { useForm } from "../../data/Data.ts"
import { Dialog, type Opened, TextField } from "../../parts/Parts.ts"
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
    <Dialog
      title={agent === undefined ? "New agent" : "Change this agent"}
      onClose={onClose}
      confirm={{ word: agent === undefined ? "Create agent" : "Save", action: save }}
    >
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
    </Dialog>
  )
}
