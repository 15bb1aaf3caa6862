/** The runners of an agent or of the account, with the executions they hold. */
import type { RunnerSession } from "@runhook/sdk/admin"
import { Kept, type KeptList, useList } from "../../data/Data.ts"
import { AskButton, type Column, EmptyState, List, Moment, Status, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { LoadMeter } from "./LoadMeter.tsx"

interface RunnersProps {
  /** Only those of this agent; without it, all. */
  readonly agentId?: string
}

const statusOf = ({ status }: RunnerSession) =>
  status === "silent" ? <Status of="offline" word="Silent" tone="quiet" /> : <Status of={status} />

const columnsOf = (onDrained: () => void): ReadonlyArray<Column<RunnerSession>> => [
  {
    head: "Runner",
    isRowHead: true,
    cell: ({ runner_name }) => <UntrustedText text={runner_name} />,
    sub: ({ instance_id }) => <UntrustedText text={instance_id} />
  },
  { head: "State", cell: statusOf },
  {
    head: "Load",
    class: "p1",
    cell: ({ busy, capacity, runner_name }) => <LoadMeter busy={busy} of={capacity} what={runner_name} />
  },
  {
    head: "Version",
    class: "p2",
    cell: ({ version }) => version && <UntrustedText text={version} />,
    none: "not reported"
  },
  { head: "Online since", class: "p2", cell: ({ created_at }) => <Moment at={created_at} /> },
  { head: "Last seen", class: "p2", cell: ({ last_seen_at }) => <Moment at={last_seen_at} isExact /> },
  {
    head: "Drain",
    class: "end",
    cell: (session) =>
      session.status === "online" ? (
        <AskButton
          word="Drain"
          label={`Drain ${session.runner_name}`}
          title="Drain this runner"
          act={() => account.value.sessions.drain(session.id)}
          onDone={onDrained}
        >
          <UntrustedText text={session.runner_name} /> gets no new work, finishes what it has
          {session.busy === 0 ? "" : ` (${session.busy})`}, and ends. Start it again to bring it back.
        </AskButton>
      ) : session.drain_requested_at === null ? null : (
        <span class="quiet">
          requested <Moment at={session.drain_requested_at} />
        </span>
      )
  }
]

const kept = new Kept<KeptList<RunnerSession>>()

export const Runners = ({ agentId }: RunnersProps) => {
  const { agents, id: accountId, sessions } = account.value
  const list = useList({
    kept,
    key: `${accountId} ${agentId ?? ""}`,
    load: (where, signal) =>
      (agentId === undefined
        ? sessions.list(where, { signal })
        : agents.sessions(agentId, where, { signal })
      ).page(),
    idOf: ({ id }: RunnerSession) => id,
    kind: "agent"
  })
  return (
    <List
      of={list}
      one="runner"
      label="Runners, newest first"
      none={
        <EmptyState title="No runner here">
          A runner is a process of yours that serves agents. It appears here when it registers, until a day
          after its last sign of life.
        </EmptyState>
      }
      columns={columnsOf(list.reload)}
    />
  )
}
