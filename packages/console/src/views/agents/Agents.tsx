/** The agents of the account, their load, and their runners. */
import type { Agent } from "@runhook/sdk/admin"
import { Head, pathOf, useLocation } from "../../shell/Shell.ts"
import { Kept, type KeptList, useRows } from "../../data/Data.ts"
import { type Column, EmptyState, List, Moment, NameLink, Opener, Section } from "../../parts/Parts.ts"
import { Status, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { AgentForm } from "./AgentForm.tsx"
import { LoadMeter } from "./LoadMeter.tsx"
import { Runners } from "./Runners.tsx"
import { isUnserved, NoRunnerNote } from "./NoRunnerNote.tsx"

const columns: ReadonlyArray<Column<Agent>> = [
  {
    head: "Agent",
    isRowHead: true,
    cell: ({ id, name }) => <NameLink href={pathOf`/agents/${id}`} text={name} />,
    sub: ({ description }) => description && <UntrustedText text={description} />
  },
  { head: "State", cell: ({ status }) => <Status of={status} /> },
  {
    head: "Load",
    class: "p1",
    cell: ({ busy, capacity, name }) => <LoadMeter busy={busy} of={capacity} what={name} />
  },
  { head: "Queue", class: "end num", cell: ({ queued }) => queued },
  { head: "Runners", class: "end num p2", cell: ({ runners }) => runners },
  {
    head: "Last seen",
    class: "end p2",
    cell: ({ last_seen_at: at }) => at && <Moment at={at} isExact />,
    none: "never"
  }
]

const kept = new Kept<KeptList<Agent>>()

export const Agents = () => {
  const { route } = useLocation()
  // Load and queue change with executions, whose events do not name the agent.
  const list = useRows<Agent>(account.value.agents, { kept, kind: ["agent", "execution"] })
  const make = (
    <Opener kind="first" word="New agent" onDone={({ id }: Agent) => route(pathOf`/agents/${id}`)}>
      {(dialog) => <AgentForm {...dialog} />}
    </Opener>
  )
  return (
    <>
      <Head title="Agents" acts={make}>
        The agents that callers choose, and the runners that do their work.
      </Head>
      <div class="stack turns">
        {list.rows.filter(isUnserved).map((agent) => (
          <NoRunnerNote key={agent.id} agent={agent} />
        ))}
        <div>
          <List
            of={list}
            one="agent"
            label="Agents, newest first"
            none={
              <EmptyState title="No agents yet" action={make}>
                Work is described by a task and done by an agent's runner.
              </EmptyState>
            }
            columns={columns}
          />
        </div>
        <Section title="Runners">
          <Runners />
        </Section>
      </div>
    </>
  )
}
