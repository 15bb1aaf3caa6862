/** One agent: its load, its runners, and whether it accepts work. */
import { Detail, headOf, pathTo, useLocation } from "../../shell/Shell.ts"
import type { Agent as AgentFacts } from "@runhook/sdk/admin"
import { Kept, useAction, useLive, useLoad } from "../../data/Data.ts"
import { countOf } from "../../format/Amounts.ts"
import { AskButton, Button, FactsCard, Moment, Opener, Outcome, Section } from "../../parts/Parts.ts"
import { UntrustedText, WholeId } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { AgentForm } from "./AgentForm.tsx"
import { LoadMeter } from "./LoadMeter.tsx"
import { Runners } from "./Runners.tsx"
import { isUnserved, NoRunnerNote } from "./NoRunnerNote.tsx"

const kept = new Kept<AgentFacts>()

export const Agent = ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const { agents } = account.value
  const loaded = useLoad(`agent ${id}`, (signal) => agents.get(id, { signal }), kept)
  const { reload, set } = loaded
  const turn = useAction((state: "active" | "paused") => agents.update(id, { state }), set)
  useLive([{ kind: "agent", id }, "execution"], reload)
  return (
    <Detail
      id={id}
      of={loaded}
      what="agent"
      head={(agent) => ({
        ...headOf(agent.name, agent.status),
        acts: (
          <>
            <Opener word="Change…" onDone={set}>
              {(dialog) => <AgentForm agent={agent} {...dialog} />}
            </Opener>
            {agent.status !== "paused" && agent.status !== "disabled" ? (
              <>
                <Button isChange isRunning={turn.isRunning} onPress={() => turn.run("paused")}>
                  Pause
                </Button>
                <AskButton
                  kind="risk"
                  word="Disable"
                  title="Disable this agent"
                  act={async () => set(await agents.update(id, { state: "disabled" }))}
                >
                  New executions on it are refused. {countOf(agent.queued, "queued execution")}{" "}
                  {agent.queued === 1 ? "waits" : "wait"} until it is resumed; {agent.busy} running{" "}
                  {agent.busy === 1 ? "finishes" : "finish"} as usual. To keep accepting executions without
                  running them, pause it instead.
                </AskButton>
              </>
            ) : (
              <Button kind="first" isChange isRunning={turn.isRunning} onPress={() => turn.run("active")}>
                Resume
              </Button>
            )}
          </>
        ),
        children: agent.description === "" ? undefined : <UntrustedText text={agent.description} />
      })}
    >
      {(agent) => (
        <div class="stack">
          <Outcome problem={turn.problem} />
          {isUnserved(agent) ? <NoRunnerNote agent={agent} /> : null}
          <FactsCard
            title="Now"
            of={{
              Load: <LoadMeter busy={agent.busy} of={agent.capacity} what={agent.name} />,
              Queue: (
                <a href={pathTo("/executions", { agent: agent.id, status: "queued" })}>
                  {countOf(agent.queued, "execution")}
                </a>
              ),
              Runners: String(agent.runners),
              "Last seen": agent.last_seen_at === null ? "never" : <Moment at={agent.last_seen_at} isExact />,
              Id: <WholeId of={agent.id} />,
              Created: <Moment at={agent.created_at} />
            }}
          />
          <Section title="Runners that serve it">
            <Runners agentId={agent.id} />
          </Section>
          <p class="acts">
            <AskButton
              kind="risk"
              word="Remove agent"
              title="Remove this agent"
              act={() => agents.remove(id)}
              onDone={() => route(pathTo("/agents"))}
            >
              It can be removed once it has no unfinished executions. Its executions are kept.
            </AskButton>
          </p>
        </div>
      )}
    </Detail>
  )
}
