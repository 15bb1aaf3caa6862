/** The executions that have the seats of a concurrency key for which another one waits. */
import type { AdminExecution } from "@runhook/sdk/admin"
import { Card, type Column, Moment, NameLink, Opener, Status, Table } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { pathOf } from "../../shell/Shell.ts"
import { CancelDialog } from "./ExecutionActions.tsx"

export interface HoldersProps {
  readonly of: ReadonlyArray<AdminExecution>
  readonly onChanged: () => void
}

export const Holders = ({ of, onChanged }: HoldersProps) => (
  <Card title="Who has the seats">
    <Table
      label="Executions at work under the same concurrency key"
      class="list"
      items={of}
      idOf={({ id }) => id}
      columns={columnsOf(onChanged)}
    />
  </Card>
)

const columnsOf = (onChanged: () => void): ReadonlyArray<Column<AdminExecution>> => [
  { head: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    head: "Execution",
    isRowHead: true,
    cell: ({ id, task_name }) => <NameLink href={pathOf`/executions/${id}`} text={task_name} max={80} />,
    sub: ({ reference }) => <UntrustedText text={reference} isBrief />
  },
  { head: "Started", class: "p1", cell: ({ started_at }) => <Moment at={started_at} /> },
  {
    head: "Cancel",
    class: "end p1",
    cell: (of) => (
      <Opener kind="bare" word="Cancel…" label={`Cancel ${of.reference}`} onDone={onChanged}>
        {(dialog) => <CancelDialog id={of.id} of={of} {...dialog} />}
      </Opener>
    )
  }
]
